//! The watchdog of an entry: what makes hookbox answer in time, though it stands still, was killed, or is not there.
//!
//! Most agents run the tool when a hook does not answer within the entry's timeout, and some when it ends with an error that says nothing. So what
//! their entry starts is a shell that waits for hookbox, kills it a little before the agent would give up, and then says why it blocks. The shell is
//! `sh`, whatever the agent runs its entries with: zsh says nothing of a program that was killed, and in fish `$?` is an error.

use super::entry::{self, BLOCKS};
use hookbox::protocol::dialects::Ability;
use hookbox::protocol::events::Blocking;

const BEGIN: &str = "sh -c '";
/// Between the shell's text, which has no quotes of this kind in it, and the program with its arguments.
const THEN: &str = "' sh ";

/// Runs `"$@"` and gives its exit code. Where there is no timeout(1) (macOS has none), another shell sleeps and kills; it looks whether this one
/// still is there, so that it never kills who got the number after.
const WITHIN: &str = r#"if command -v timeout >/dev/null; then timeout -s KILL SECONDS "$@"; else exec 3<&0; "$@" <&3 3<&- & p=$!; (trap "kill \$s; exit" 15; sleep SECONDS & s=$!; wait $s; kill -0 $$ && kill -9 $p) >/dev/null 2>&1 3<&- & w=$!; wait $p; e=$?; { kill $w; wait $w; } 2>/dev/null; (exit $e); fi"#;

/// hookbox ends with 0 or 2; everything else is not an answer, and one without a word would not be heard.
const CODES: &str =
    r#"; e=$?; case $e in 0|2) exit $e;; esac; echo "hookbox: no answer (exit code $e): run hookbox check" >&2; exit "#;

/// The same for an agent that hears JSON only, and takes a failed hook for none.
const AS_JSON: (&str, &str) = (
    "a=$(",
    r#"); e=$?; case $e in 0) printf "%s\n" "$a";; *) echo "{\"cancel\":true,\"errorMessage\":\"hookbox: no answer (exit code $e): run hookbox check\"}";; esac"#,
);

/// Seconds after which hookbox is killed: behind its own deadline, before the agent's.
pub(super) fn seconds(agent: &str) -> u32 {
    entry::patience(agent) * 19 / 20
}

/// Whether the agent's entries are watched: it would not block by itself.
pub(super) fn watches(agent: &str) -> bool {
    hookbox::protocol::dialects::agent(agent).is_some_and(|agent| agent.capabilities.closes == Ability::No)
}

/// The command of an entry that calls hookbox like this.
pub(super) fn command(call: &str, agent: &str, blocks: Blocking) -> String {
    let within = WITHIN.replace("SECONDS", &seconds(agent).to_string());
    match blocks {
        _ if agent == "cline" => format!("{BEGIN}{}{within}{}{THEN}{call}{BLOCKS}", AS_JSON.0, AS_JSON.1),
        // The agent goes on working when this is 2, and one takes every code above 1 for that.
        Blocking::KeepsWorking => format!("{BEGIN}{within}{CODES}1{THEN}{call}"),
        _ => format!("{BEGIN}{within}{CODES}2{THEN}{call}{BLOCKS}"),
    }
}

/// The call in such a command, with what closes it.
pub(super) fn call(command: &str) -> Option<&str> {
    Some(command.strip_prefix(BEGIN)?.split_once(THEN)?.1)
}

#[cfg(test)]
mod tests {
    use super::super::entry::{Hook, call_of, closes, config, is_ours, of_a_call};
    use super::super::places::{self, PLACES};
    use super::*;

    fn hook(blocks: Blocking) -> Hook {
        Hook {
            event: "PreToolUse".into(),
            matcher: None,
            blocks,
        }
    }

    #[test]
    fn the_call_is_read_back_from_every_form_of_this_and_of_earlier_versions() {
        for place in PLACES {
            for call in [
                entry::call("/opt/hookbox", place.agent, None),
                entry::call("/a b/it's/hookbox", place.agent, Some("/c d/it's.json")),
            ] {
                let ours = [Blocking::Prevents, Blocking::KeepsWorking, Blocking::NoEffect]
                    .map(|blocks| hook(blocks).command(place, &call));
                let earlier = [format!("{call} || exit 2"), format!("{call} || exit $?")];
                for command in ours.iter().chain(&earlier) {
                    assert_eq!(call_of(command), Some(call.as_str()), "{command}");
                    assert!(is_ours(command, place.agent), "{command}");
                    assert!(!is_ours(command, "nobody"), "{command}");
                    assert!(of_a_call(command, place).ends_with(BLOCKS), "{command}");
                }
                assert!(closes(&ours[0], place), "{ours:?}");
                // Cline has no such event.
                assert!(place.agent == "cline" || !closes(&ours[1], place), "{ours:?}");
            }
        }
        let cline = places::find("cline").unwrap();
        assert!(!closes("hookbox run --agent cline || exit 2", cline));
        let call = entry::call("hookbox", "codex", Some("/c d/it's.json"));
        assert_eq!(config(&call).as_deref(), Some("/c d/it's.json"));
    }

    #[test]
    fn who_blocks_by_itself_has_the_short_entry_and_everybody_else_a_watched_one() {
        let watched: Vec<&str> = PLACES
            .iter()
            .filter(|place| call(&hook(Blocking::Prevents).command(place, "hookbox run")).is_some())
            .map(|place| place.agent)
            .collect();
        let others = [
            "codex", "gemini", "copilot", "qwen", "vscode", "droid", "windsurf", "kiro", "cline",
        ];
        assert_eq!(watched, others);
    }

    #[test]
    fn the_shell_waits_longer_than_hookbox_and_shorter_than_the_agent() {
        for place in PLACES.iter().filter(|place| watches(place.agent)) {
            let (own, agents) = (
                f64::from(entry::patience(place.agent)) * 0.9,
                entry::patience(place.agent),
            );
            assert!(
                f64::from(seconds(place.agent)) > own && seconds(place.agent) < agents,
                "{}",
                place.agent
            );
            let command = hook(Blocking::Prevents).command(place, "hookbox run");
            assert!(
                command.contains(&format!("-s KILL {} ", seconds(place.agent))),
                "{command}"
            );
        }
        assert_eq!((seconds("codex"), seconds("cline")), (57, 28));
    }

    #[test]
    fn the_text_of_the_shell_has_no_quote_that_would_end_it() {
        for place in PLACES.iter().filter(|place| watches(place.agent)) {
            let command = hook(Blocking::Prevents).command(places::find(place.agent).unwrap(), "X");
            assert_eq!(command.matches('\'').count(), 2, "{command}");
        }
    }
}

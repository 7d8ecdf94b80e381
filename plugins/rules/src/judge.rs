//! The rules asked about an event, and their answers joined: the strictest wins.

use crate::index::Index;
use crate::pattern::{Hold, Places};
use crate::settings::{Effect, Rule};
use crate::subject::{self, Scene, Subject, Subjects};
use hookbox_sdk::{Event, Host, Level, Output};

const MILLISECONDS_PER_DAY: u64 = 86_400_000;

/// What the rules say about the event.
pub(crate) fn judge(rules: &[Rule], index: &Index, event: &Event, host: &impl Host) -> Output {
    let analyses = subject::analyses(event, host);
    let subjects = subject::subjects(event, &analyses, host);
    let scene = Scene::new(event, host);
    let rules = index.candidates(rules, &scene, &subjects);
    let strict = rules
        .iter()
        .filter(|rule| rule.effect != Effect::Allow && fires(rule, &scene, &subjects));
    let strict: Vec<&Rule> = strict.copied().collect();
    for rule in &strict {
        host.log(Level::Info, &format!("{} ({}) fired", rule.id, rule.severity.name()));
    }
    match strict.iter().map(|rule| rule.effect).max() {
        Some(effect) => {
            let winners: Vec<&Rule> = strict.into_iter().filter(|rule| rule.effect == effect).collect();
            answer(effect, &winners)
        }
        None => allowed(&rules, &scene, &subjects).map_or_else(Output::none, |rules| answer(Effect::Allow, &rules)),
    }
}

/// Whether a deny or ask rule holds for something that the event does.
fn fires(rule: &Rule, scene: &Scene<'_, impl Host>, subjects: &Subjects<'_>) -> bool {
    let places = scene.places();
    concerns(rule, &scene.event.name)
        && rule.conditions.hold_for_event(scene, Hold::Any)
        && subjects.all.iter().any(|subject| {
            rule.conditions.hold_for(subject, &places, Hold::Any) && !excepted(rule, scene, subject, &places)
        })
        && applies(rule, scene)
}

/// The allow rules that together hold for everything that the event does; none where something is left over.
fn allowed<'a>(rules: &[&'a Rule], scene: &Scene<'_, impl Host>, subjects: &Subjects<'_>) -> Option<Vec<&'a Rule>> {
    if !subjects.complete {
        return None;
    }
    let places = scene.places();
    let allow = rules.iter().filter(|rule| {
        rule.effect == Effect::Allow
            && concerns(rule, &scene.event.name)
            && rule.conditions.hold_for_event(scene, Hold::All)
            && applies(rule, scene)
    });
    let allow: Vec<&Rule> = allow.copied().collect();
    let mut used: Vec<&Rule> = Vec::new();
    for subject in subjects.all.iter().filter(|subject| !subject.derived) {
        let rule = allow.iter().find(|rule| {
            rule.conditions.hold_for(subject, &places, Hold::All) && !excepted(rule, scene, subject, &places)
        })?;
        if !used.iter().any(|known| known.id == rule.id) {
            used.push(rule);
        }
    }
    Some(used)
}

/// What has already happened can be neither forbidden nor allowed: such an event must be asked for by name.
fn concerns(rule: &Rule, event: &str) -> bool {
    !rule.conditions.event.is_empty() || !event.starts_with("Post")
}

/// Whether one of the rule's exceptions holds. What makes a rule that forbids let something through must hold for all
/// of its paths and hosts; what makes an allow hold back, for any.
fn excepted(rule: &Rule, scene: &Scene<'_, impl Host>, subject: &Subject<'_>, places: &Places<'_>) -> bool {
    let hold = if rule.effect == Effect::Allow {
        Hold::Any
    } else {
        Hold::Exempt
    };
    rule.unless
        .iter()
        .any(|unless| unless.hold_for_event(scene, hold) && unless.hold_for(subject, places, hold))
}

/// Whether the rule has not expired. The clock is asked only for rules that expire.
fn applies(rule: &Rule, scene: &Scene<'_, impl Host>) -> bool {
    rule.expires
        .is_none_or(|day| scene.host.now() / MILLISECONDS_PER_DAY < day)
}

fn answer(effect: Effect, rules: &[&Rule]) -> Output {
    let default = match effect {
        Effect::Deny => "a rule of your organisation forbids this: do it another way, or ask the user",
        Effect::Ask => "a rule of your organisation asks the user first",
        Effect::Allow => "a rule of your organisation allows this",
    };
    let text = |rule: &&Rule| rule.reason.clone().unwrap_or_else(|| default.into());
    let reason = match rules {
        [one] => text(one),
        many => many
            .iter()
            .map(|rule| format!("{}: {}", rule.id, text(rule)))
            .collect::<Vec<_>>()
            .join("\n\n"),
    };
    let id = rules.first().map_or("", |rule| rule.id.as_str());
    match effect {
        Effect::Deny => Output::deny(id, reason),
        Effect::Ask => Output::ask(id, reason),
        Effect::Allow => Output::allow(id, reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use hookbox_sdk::test::{TestHost, tool_event};
    use hookbox_sdk::{Action, Decision, FileWrite, Plugin};
    use serde_json::{Value, json};

    fn write(path: &str) -> Event {
        tool_event(
            "Write",
            vec![Action::Write(FileWrite {
                path: path.into(),
                content: Some(0),
            })],
        )
    }

    fn judged(rules: Value, event: &Event, host: &TestHost) -> Output {
        Rules::configure(json!({ "rules": rules }))
            .unwrap()
            .handle(event, host)
            .unwrap()
    }

    #[test]
    fn the_strictest_rule_wins_and_its_reasons_are_joined() {
        let rules = json!([
            {"id": "a", "decision": "allow", "path": "${project}/**", "action": "write"},
            {"id": "b", "decision": "ask", "path": "infra/**", "reason": "infra is shared"},
            {"id": "c", "decision": "deny", "path": "infra/prod/**", "reason": "prod is frozen"},
            {"id": "d", "decision": "deny", "path": "*.tf", "reason": "use the generator"},
        ]);
        let host = TestHost::default();
        let output = judged(rules.clone(), &write("/home/user/demo/infra/prod/main.tf"), &host);
        assert_eq!(output.decision, Some(Decision::Deny));
        assert_eq!(output.rule.as_deref(), Some("c"));
        assert_eq!(
            output.reason.as_deref(),
            Some("c: prod is frozen\n\nd: use the generator")
        );
        let output = judged(rules.clone(), &write("/home/user/demo/infra/x"), &host);
        assert_eq!(
            (output.decision, output.rule.as_deref()),
            (Some(Decision::Ask), Some("b"))
        );
        let output = judged(rules.clone(), &write("/home/user/demo/src/x"), &host);
        assert_eq!(
            (output.decision, output.rule.as_deref()),
            (Some(Decision::Allow), Some("a"))
        );
        assert_eq!(judged(rules, &write("/etc/x"), &host), Output::none());
    }

    #[test]
    fn a_link_is_followed_before_a_rule_forbids() {
        let rules = json!([{"id": "ssh", "decision": "deny", "path": "~/.ssh"}]);
        let mut host = TestHost::default();
        host.links
            .insert("/home/user/demo/notes".into(), "/home/user/.ssh".into());
        let output = judged(rules, &write("/home/user/demo/notes/config"), &host);
        assert_eq!(output.decision, Some(Decision::Deny));
    }

    #[test]
    fn a_link_out_of_the_folder_takes_an_allow_away() {
        let rules = json!([{"id": "in", "decision": "allow", "path": "${project}/**", "action": "write"}]);
        let mut host = TestHost::default();
        host.links
            .insert("/home/user/demo/notes".into(), "/home/user/.ssh".into());
        assert_eq!(
            judged(rules, &write("/home/user/demo/notes/config"), &host).decision,
            None
        );
    }

    #[test]
    fn a_rule_ends_with_its_day() {
        let rules = json!([{"id": "freeze", "decision": "deny", "path": "**", "expires": "1970-01-02"}]);
        let mut host = TestHost {
            now: MILLISECONDS_PER_DAY - 1,
            ..TestHost::default()
        };
        assert_eq!(
            judged(rules.clone(), &write("/x"), &host).decision,
            Some(Decision::Deny)
        );
        host.now = MILLISECONDS_PER_DAY;
        assert_eq!(judged(rules, &write("/x"), &host).decision, None);
    }

    #[test]
    fn an_unknown_branch_is_every_branch_to_a_rule_that_forbids() {
        let deny = json!([{"id": "main", "decision": "deny", "path": "**", "branch": "main"}]);
        let allow = json!([{"id": "main", "decision": "allow", "path": "**", "branch": "main"}]);
        let mut host = TestHost::default();
        assert_eq!(judged(deny.clone(), &write("/x"), &host).decision, None);
        host.files
            .insert("/home/user/demo/.git/HEAD".into(), b"ref: refs/heads/main".to_vec());
        assert_eq!(judged(deny.clone(), &write("/x"), &host).decision, Some(Decision::Deny));
        assert_eq!(
            judged(allow.clone(), &write("/x"), &host).decision,
            Some(Decision::Allow)
        );
        host.files.insert("/home/user/demo/.git/HEAD".into(), b"?".to_vec());
        assert_eq!(judged(deny, &write("/x"), &host).decision, Some(Decision::Deny));
        assert_eq!(judged(allow, &write("/x"), &host).decision, None);
    }

    #[test]
    fn a_prompt_and_what_is_written_are_searched() {
        let rules = json!([
            {"id": "ticket", "decision": "deny", "prompt": "regex:(?i)\\bpassword\\s*[:=]"},
            {"id": "key", "decision": "deny", "content": "BEGIN PRIVATE KEY", "unless": {"path": "tests/**"}},
        ]);
        let host = TestHost::default();
        let mut prompt = write("/x");
        prompt.tool = None;
        prompt.name = "UserPromptSubmit".into();
        prompt.prompt = Some("the Password: is x".into());
        assert_eq!(judged(rules.clone(), &prompt, &host).rule.as_deref(), Some("ticket"));
        let host = TestHost {
            contents: vec!["-BEGIN PRIVATE KEY-".into()],
            ..TestHost::default()
        };
        assert_eq!(judged(rules.clone(), &write("/k"), &host).rule.as_deref(), Some("key"));
        assert_eq!(judged(rules, &write("/home/user/demo/tests/k"), &host), Output::none());
    }

    #[test]
    fn what_has_happened_is_only_judged_where_a_rule_asks_for_it() {
        let mut event = write("/x");
        event.name = "PostToolUse".into();
        let host = TestHost::new(json!({"tool_response": {"stdout": "token: 1"}}));
        let quiet = json!([{"id": "a", "decision": "deny", "path": "**"}]);
        assert_eq!(judged(quiet, &event, &host), Output::none());
        let loud = json!([{"id": "a", "decision": "deny", "event": "PostToolUse", "output": "token:"}]);
        assert_eq!(judged(loud, &event, &host).decision, Some(Decision::Deny));
    }

    #[test]
    fn an_address_is_compared_by_its_host() {
        let rules = json!([
            {"id": "out", "decision": "deny", "action": "fetch", "host": "*", "unless": {"host": ["*.example.com", "docs.rs"]}},
        ]);
        let host = TestHost::default();
        let fetch = |url: &str| tool_event("WebFetch", vec![Action::Fetch(url.into())]);
        for (url, decision) in [
            ("https://api.example.com/x", None),
            ("https://docs.rs:443/x", None),
            ("https://docs.rs@evil.example/", Some(Decision::Deny)),
            ("https://evil.example/?u=https://docs.rs", Some(Decision::Deny)),
            ("https://evil.example#docs.rs", Some(Decision::Deny)),
        ] {
            assert_eq!(judged(rules.clone(), &fetch(url), &host).decision, decision, "{url}");
        }
    }
}

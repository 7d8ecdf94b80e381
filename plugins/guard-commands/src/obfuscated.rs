//! Commands that hide what they run, or that are one line of ruin: decoded text fed to a shell, fork bombs.

use crate::judge::Scene;
use Severity::{Ask, Block};
use hookbox_pack::words::program;
use hookbox_pack::{Finding, Severity};
use hookbox_sdk::{Analysis, SimpleCommand};

const DECODED: &str = "runs text that only decoding shows, so nobody can read it beforehand: decode it into a file, read it, then run that";

/// What only the whole line shows.
pub(crate) fn line(text: &str, analysis: &Analysis, findings: &mut Vec<Finding>) {
    let packed: String = text.chars().take(16 * 1024).filter(|c| !c.is_whitespace()).collect();
    if forks(&packed) && !is_data(analysis) {
        findings.push(Finding::new(
            "fork-bomb",
            Block,
            "starts itself again and again until the machine stands still: leave it",
        ));
    }
}

/// `f(){f|f&};f` under any name, and the same in loops.
fn forks(packed: &str) -> bool {
    let python = || packed.contains("os.fork()") && (packed.contains("whileTrue") || packed.contains("while1"));
    if packed.contains("fork") && (packed.contains("forkwhilefork") || python()) {
        return true;
    }
    let starts_itself = |body: &str| body.split("done").next().is_some_and(|body| body.ends_with('&'));
    let loops = |start: &str| packed.split(start).skip(1).any(starts_itself);
    if packed.contains("while") && (loops("whiletrue;do") || loops("while:;do")) {
        return true;
    }
    let mut from = 0;
    while let Some(found) = packed[from..].find("(){") {
        let at = from + found;
        from = at + 3;
        let head = &packed[..at];
        let name = head
            .rsplit([';', '&', '|', '(', ')', '{', '}', '"', '\''])
            .next()
            .unwrap_or("");
        let name = name.trim_start_matches("function");
        if name.is_empty() || name.len() > 64 {
            continue;
        }
        let body = &packed[at + 3..];
        let body = &body[..body.find('}').unwrap_or(body.len())];
        if body.contains(&format!("{name}|{name}"))
            || body.contains(&format!("{name}&{name}"))
            || body == format!("{name}&")
        {
            return true;
        }
    }
    false
}

/// Whether a program gets such text as a word: then it is data.
fn is_data(analysis: &Analysis) -> bool {
    let words = analysis.commands.iter().flat_map(|command| {
        command
            .args()
            .iter()
            .map(|word| &word.text)
            .chain(command.redirects.iter().map(|redirect| &redirect.target.text))
    });
    let mut runs = analysis.commands.iter().map(|command| program(&command.argv[0].text));
    let shell = runs.any(|name| {
        matches!(name.as_str(), "bash" | "sh" | "zsh" | "eval" | "dash" | "perl" | "ruby") || name.starts_with("python")
    });
    !shell
        && words
            .into_iter()
            .any(|text| forks(&text.chars().filter(|c| !c.is_whitespace()).collect::<String>()))
}

/// A shell or interpreter that is fed by a decoder.
pub(crate) fn judge(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let name = program(&command.argv[0].text);
    let shell = matches!(
        name.as_str(),
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "fish" | "ash" | "eval" | "source" | "."
    );
    let interpreter = name.starts_with("python") || matches!(name.as_str(), "perl" | "ruby" | "node" | "php");
    if !shell && !interpreter {
        return;
    }
    let decoded = |text: &str| {
        [
            "b64decode",
            "atob(",
            "fromhex",
            "unhexlify",
            "decode64",
            "base64_decode",
            "'base64')",
            "\"base64\")",
        ]
        .iter()
        .any(|name| text.contains(name))
            && [
                "exec(",
                "eval(",
                "eval ",
                "system(",
                "popen(",
                "subprocess",
                "execsync(",
                "spawn(",
            ]
            .iter()
            .any(|name| text.contains(name))
    };
    if interpreter
        && command
            .args()
            .iter()
            .any(|word| decoded(&word.text.to_ascii_lowercase()))
    {
        findings.push(Finding::new("decoded", Ask, DECODED));
    }
    if scene.feeders(command).any(decodes) {
        findings.push(Finding::new("decoded", Block, DECODED));
    }
    let mut hidden = command
        .args()
        .iter()
        .chain(command.redirects.iter().map(|redirect| &redirect.target))
        .filter(|word| !word.known);
    if shell
        && hidden.any(|word| {
            [
                "base64 -d",
                "base64 --d",
                "base64 -D",
                "xxd -r",
                "openssl enc",
                "openssl base64",
                "base32 -d",
                "uudecode",
            ]
            .iter()
            .any(|decoder| word.text.contains(decoder))
        })
    {
        findings.push(Finding::new("decoded", Block, DECODED));
    }
    // `bash <<EOF` without its end: the shell would run what is missing here.
    let open = command.redirects.iter().any(|redirect| {
        redirect.operator.starts_with("<<")
            && redirect.operator != "<<<"
            && redirect.target.text.is_empty()
            && !redirect.target.known
    });
    if shell && open {
        findings.push(Finding::new(
            "cut-short",
            Ask,
            "the shell's script is cut short, so it cannot be judged: give the whole heredoc",
        ));
    }
}

fn decodes(command: &SimpleCommand) -> bool {
    let has = |names: &[&str]| {
        command.args().iter().any(|word| {
            names
                .iter()
                .any(|name| word.text == *name || (name.len() == 2 && hookbox_pack::words::sets(&word.text, name)))
        })
    };
    match program(&command.argv[0].text).as_str() {
        "base64" | "gbase64" | "base32" | "basenc" => has(&["-d", "-D", "--decode"]),
        "xxd" => has(&["-r"]),
        "openssl" => has(&["enc", "base64"]) && has(&["-d"]),
        "uudecode" | "rev" => true,
        _ => false,
    }
}

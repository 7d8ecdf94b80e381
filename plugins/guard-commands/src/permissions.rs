//! chmod and chown: rights that are taken from the system or given to everybody.

use crate::judge::Scene;
use Severity::{Ask, Block, Strict};
use hookbox_pack::words::{dashed, program, sets, split};
use hookbox_pack::{Finding, Place, Severity};
use hookbox_sdk::SimpleCommand;

pub(crate) fn judge(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let name = program(&command.argv[0].text);
    let modes = match name.as_str() {
        "chmod" => true,
        "chown" | "chgrp" | "setfacl" | "chattr" | "chflags" => false,
        _ => return,
    };
    // A mode may begin with a dash: `chmod -x file`, `chattr -i file`.
    let (options, mut operands) = split(command.args(), &["--from"]);
    let recursive = options
        .iter()
        .any(|word| sets(&dashed(&word.text), "-R") || word.text == "--recursive");
    let reference = options.iter().any(|word| word.text.starts_with("--reference"));
    let mode = if reference || operands.is_empty() {
        None
    } else {
        Some(operands.remove(0))
    };
    let mode = mode.map_or("", |word| word.text.as_str());
    let wide = modes && is_wide(mode);
    let set_id = modes && is_set_id(mode);
    for word in operands {
        let (place, path) = scene.locate(word);
        let etc = path
            .as_deref()
            .is_some_and(|path| path.starts_with("/etc/") || path.starts_with("/usr/") || path.starts_with("/bin/"));
        let (rule, severity, what) = match place {
            Place::Root | Place::Home | Place::System if recursive => (
                "chmod-system",
                Block,
                "changes the rights of a whole system or home folder, which cannot be put back",
            ),
            Place::Root | Place::Home | Place::System if wide => {
                ("chmod-system", Block, "gives everybody the right to write there")
            }
            Place::InHome | Place::Outside if recursive && wide => {
                ("chmod-777", Block, "gives everybody the right to write there")
            }
            Place::Sink | Place::Device if wide => ("chmod-777", Ask, "gives everybody the right to write there"),
            _ if set_id => ("chmod-setuid", Ask, "makes a program run with its owner's rights"),
            _ if wide => (
                "chmod-777",
                Ask,
                "gives everybody the right to write there: `chmod u+rwX` (or 755, 644) is enough",
            ),
            Place::System if etc => ("chmod-system", Ask, "changes the rights of a system file"),
            Place::Outside | Place::InHome if recursive => (
                "chmod-outside",
                Ask,
                "changes the rights of a whole folder outside the project",
            ),
            Place::System => ("chmod-system", Strict, "changes the rights of a system file"),
            Place::InProject | Place::Project
                if recursive && !modes && (mode == "root" || mode.starts_with("root:")) =>
            {
                ("chmod-outside", Ask, "takes the project's files away from you")
            }
            _ if modes && is_none(mode) => ("chmod-none", Ask, "takes away every right"),
            _ => continue,
        };
        let rule = if modes { rule } else { rule_of_owner(rule) };
        findings.push(Finding::new(
            rule,
            severity,
            format!("{name} on {} {what}; name the one file that needs it", word.text),
        ));
    }
}

fn rule_of_owner(rule: &'static str) -> &'static str {
    match rule {
        "chmod-outside" => "chown-outside",
        _ => "chown-system",
    }
}

/// Everybody may write: `777`, `0666`, `a+rwx`, `o+w`, `ugo=rwx`, `+w` is the owner's umask and is not.
fn is_wide(mode: &str) -> bool {
    if mode.bytes().all(|byte| byte.is_ascii_digit()) {
        return mode.len() >= 3
            && matches!(mode.as_bytes().last(), Some(b'2' | b'3' | b'6' | b'7'))
            && !mode.starts_with("1777");
    }
    mode.split(',').any(|part| {
        let Some(at) = part.find(['+', '=']) else { return false };
        let (who, what) = part.split_at(at);
        (who.contains('a') || who.contains('o')) && what.contains('w')
    })
}

/// `4755`, `u+s`.
fn is_set_id(mode: &str) -> bool {
    let digits = mode.trim_start_matches('0');
    if !digits.is_empty() && mode.bytes().all(|byte| byte.is_ascii_digit()) {
        return digits.len() == 4 && matches!(digits.as_bytes()[0], b'2' | b'4' | b'6' | b'7');
    }
    mode.split(',')
        .any(|part| part.split_once(['+', '=']).is_some_and(|(_, what)| what.contains('s')))
}

fn is_none(mode: &str) -> bool {
    matches!(mode, "000" | "0" | "00" | "0000" | "a-rwx" | "ugo-rwx" | "a=")
}

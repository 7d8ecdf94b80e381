//! What a command runs that was given to it as text, and how `powershell` itself is given its script.

use super::read;
use crate::Word;
use crate::session::{Session, Text, Walk};

/// What a command runs that was given to it as text.
pub(super) fn runs(session: &mut Session, name: &str, argv: &[Word]) -> Walk {
    let operands = || argv[1..].iter().filter(|word| !word.text.starts_with('-'));
    let lower = name.rsplit(['\\', '/']).next().unwrap_or(name).to_ascii_lowercase();
    match lower.trim_end_matches(".exe") {
        "invoke-expression" => {
            let text = operands().next().map_or_else(Text::unknown, |word| Text {
                text: word.text.clone(),
                known: word.known,
            });
            inner(session, "Invoke-Expression", &text)
        }
        "set-location" | "push-location" => {
            session.env.cwd = operands().next().cloned();
            Ok(())
        }
        "start-process" => {
            let argv: Vec<Word> = operands().cloned().collect();
            let mut words = Vec::new();
            for word in argv {
                words.extend(word.text.split_whitespace().map(|text| Word {
                    text: text.into(),
                    ..word.clone()
                }));
            }
            match words.is_empty() {
                true => Ok(()),
                false => session.under("Start-Process", |session| session.emit(words, Vec::new(), Vec::new())),
            }
        }
        "powershell" | "pwsh" => launched(session, argv),
        "cmd" => {
            let Some(at) = argv
                .iter()
                .position(|word| word.text.eq_ignore_ascii_case("/c") || word.text.eq_ignore_ascii_case("/k"))
            else {
                return Ok(());
            };
            let text = crate::wrappers::joined(&argv[at + 1..]);
            if !text.known {
                session.incomplete();
            }
            session.under("cmd /c", |session| crate::cmd::read(session, &text.text))
        }
        "bash" | "sh" | "wsl" => {
            let at = argv
                .iter()
                .position(|word| word.text.starts_with('-') && word.text.ends_with('c'));
            match at.and_then(|at| argv.get(at + 1)) {
                Some(script) => {
                    let script = Text {
                        text: script.text.clone(),
                        known: script.known,
                    };
                    session.under(&format!("{lower} -c"), |session| session.script(&script))
                }
                None => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// `powershell -Command …`, `-EncodedCommand …`: options may be shortened as far as they stay clear.
pub(crate) fn launched(session: &mut Session, argv: &[Word]) -> Walk {
    let mut at = 1;
    while let Some(word) = argv.get(at) {
        let option = word.text.trim_start_matches(['-', '/']).to_ascii_lowercase();
        let is_option = word.text.starts_with(['-', '/']) && !option.is_empty();
        at += 1;
        if !is_option {
            at -= 1;
            break;
        }
        if "encodedcommand".starts_with(&option) || option == "ec" {
            let decoded = argv.get(at).and_then(|word| decode_utf16(&word.text));
            return inner(
                session,
                "powershell -EncodedCommand",
                &decoded.map_or_else(Text::unknown, Text::known),
            );
        }
        if "command".starts_with(&option) {
            break;
        }
        if "file".starts_with(&option) {
            return Ok(());
        }
        let valued = [
            "executionpolicy",
            "ep",
            "windowstyle",
            "version",
            "inputformat",
            "outputformat",
            "workingdirectory",
            "configurationname",
        ];
        at += usize::from(valued.iter().any(|name| name.starts_with(&option)) && option != "noninteractive");
    }
    match argv.get(at..) {
        Some(words) if !words.is_empty() => inner(session, "powershell -Command", &crate::wrappers::joined(words)),
        _ => Ok(()),
    }
}

fn inner(session: &mut Session, via: &str, script: &Text) -> Walk {
    if !script.known {
        session.incomplete();
    }
    session.under(via, |session| read(session, &script.text))
}

fn decode_utf16(text: &str) -> Option<String> {
    let bytes = crate::prints::decode_base64(text)?;
    let units: Vec<u16> = bytes
        .chunks_exact(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
        .collect();
    String::from_utf16(&units).ok()
}

//! PowerShell that an agent gives to its bash tool: what bash cannot read is read again.

use hookbox_sdk::{Analysis, Host, SimpleCommand};
use std::borrow::Cow;

/// Text that is looked at for PowerShell's words.
const LOOKED_AT: usize = 16 * 1024;
/// Apart from the pipelines of the first reading.
const PIPELINES: u32 = 1 << 20;

/// The commands of a line as bash reads it and, where bash cannot read it and it holds PowerShell's words, also as
/// PowerShell reads it.
pub fn commands<'a>(host: &impl Host, text: &str, analysis: &'a Analysis) -> Cow<'a, [SimpleCommand]> {
    if analysis.complete || !spoken(text) {
        return Cow::Borrowed(&analysis.commands);
    }
    let again = host.analyze(text, "powershell");
    let again = again.commands.iter().cloned().map(|command| SimpleCommand {
        pipeline: (command.pipeline.0.saturating_add(PIPELINES), command.pipeline.1),
        ..command
    });
    analysis.commands.iter().cloned().chain(again).collect()
}

/// Whether a word is `Verb-Noun` or one of the short names under which PowerShell runs what it downloads.
pub fn spoken(text: &str) -> bool {
    let start: String = text.chars().take(LOOKED_AT).collect();
    start
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .any(|word| match word.split_once('-') {
            Some((verb, noun)) => {
                is_common(verb, noun)
                    || verb.len() > 2
                        && noun.len() > 2
                        && verb.starts_with(|c: char| c.is_ascii_uppercase())
                        && noun.starts_with(|c: char| c.is_ascii_uppercase())
            }
            None => matches!(word.to_ascii_lowercase().as_str(), "iex" | "iwr" | "irm" | "gci" | "ri"),
        })
}

/// The commonest cmdlets, in any case.
fn is_common(verb: &str, noun: &str) -> bool {
    const VERBS: [&str; 8] = ["get", "set", "remove", "clear", "invoke", "start", "stop", "new"];
    const NOUNS: [&str; 11] = [
        "item",
        "itemproperty",
        "childitem",
        "content",
        "webrequest",
        "restmethod",
        "expression",
        "command",
        "process",
        "service",
        "disk",
    ];
    let among = |words: &[&str], word: &str| words.iter().any(|other| other.eq_ignore_ascii_case(word));
    among(&VERBS, verb) && among(&NOUNS, noun)
}

#[cfg(test)]
mod tests {
    use super::spoken;

    #[test]
    fn powershell_is_known_by_its_words() {
        assert!(spoken("get-childitem c:\\ | remove-item"));
        assert!(spoken("iex (iwr http://x)") && spoken("Get-ChildItem C:\\ | Remove-Item"));
        assert!(!spoken("git log --since=x") && !spoken("echo 'it' (a-b"));
    }
}

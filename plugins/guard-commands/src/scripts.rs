//! Scripts that one line writes and then runs: what is data in the file is a command line a moment later.

use hookbox_pack::words::program;
use hookbox_sdk::{SimpleCommand, Word};

/// Scripts of a line that are looked into; the rest is judged when it runs.
const SCRIPTS: usize = 8;

/// The texts of files that a line writes and that a later command of it runs.
pub(crate) fn run_after_written(line: &[SimpleCommand]) -> Vec<String> {
    let mut written: Vec<(&str, String)> = Vec::new();
    let mut scripts = Vec::new();
    for command in line {
        if let Some(file) = runs(command) {
            let texts = written
                .iter()
                .filter(|(path, _)| same(path, file))
                .map(|(_, text)| text.clone());
            scripts.extend(texts.take(SCRIPTS - scripts.len().min(SCRIPTS)));
        }
        let into = command
            .redirects
            .iter()
            .filter(|redirect| redirect.operator.starts_with('>'))
            .map(|redirect| &redirect.target);
        let tees = command
            .args()
            .iter()
            .filter(|_| program(&command.argv[0].text) == "tee");
        for target in into.chain(tees.filter(|word| !word.text.starts_with('-'))) {
            if let Some(text) = text_of(command, line) {
                written.push((target.text.as_str(), text));
            }
        }
    }
    scripts
}

/// What a command would write: the words of `echo` and `printf`, heredocs, or those that are piped into it.
fn text_of(command: &SimpleCommand, line: &[SimpleCommand]) -> Option<String> {
    let own = |command: &SimpleCommand| match program(&command.argv[0].text).as_str() {
        "echo" | "printf" => {
            let words: Vec<&str> = command.args().iter().map(|word| word.text.as_str()).collect();
            Some(words.join(" ").replace("\\n", "\n"))
        }
        _ => {
            let mut heredocs = command
                .redirects
                .iter()
                .filter(|redirect| redirect.operator.starts_with("<<"));
            heredocs.next().map(|redirect| redirect.target.text.clone())
        }
    };
    own(command).or_else(|| {
        let (pipeline, place) = command.pipeline;
        let feeder = line
            .iter()
            .find(|other| other.pipeline.0 == pipeline && other.pipeline.1 + 1 == place)?;
        own(feeder)
    })
}

/// The file that a command runs: `bash FILE`, `. FILE`, `./FILE`.
fn runs(command: &SimpleCommand) -> Option<&str> {
    let first = &command.argv.first()?.text;
    match program(first).as_str() {
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "source" | "." | "exec" => {
            let operand = |word: &&Word| !word.text.starts_with('-') && !word.text.starts_with('+');
            command.args().iter().find(operand).map(|word| word.text.as_str())
        }
        _ => first.contains('/').then_some(first.as_str()),
    }
}

fn same(one: &str, other: &str) -> bool {
    one.trim_start_matches("./") == other.trim_start_matches("./")
}

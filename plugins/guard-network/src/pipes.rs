//! A download that is run: piped, substituted, saved and started.

use crate::programs::{downloads, interpreter, runs_its_input, shell, targets};
use hookbox_pack::touch::{self, Access, program};
use hookbox_pack::words::value;
use hookbox_pack::{Finding, Severity, spell};
use hookbox_sdk::{SimpleCommand, Word};

const PIPED: &str = "this runs whatever the server sends: download it to a file, show the user what it does, and run it when they agree; or install with the system's package manager";
const SAVED: &str =
    "this runs a file that the same line downloads: let the user look at it first, then run it in a second step";
const DECODED: &str = "this decodes a text and runs it unseen: write the commands out";

/// What a line runs of what it downloads. `trusted`: whether every host of a download may be run.
pub(crate) fn judge(line: &[SimpleCommand], trusted: &dyn Fn(&SimpleCommand) -> bool, findings: &mut Vec<Finding>) {
    if line.iter().any(|command| runs_download(command, line, trusted)) {
        findings.push(Finding::new("download-into-shell", Severity::Block, PIPED));
    }
    if line.iter().any(|command| runs_saved(command, line, trusted)) {
        findings.push(Finding::new("download-and-run", Severity::Ask, SAVED));
    }
    if line
        .iter()
        .any(|command| decodes(command) && piped_into(command, line).any(runs_its_input))
    {
        findings.push(Finding::new("decoded-into-shell", Severity::Ask, DECODED));
    }
    for command in line {
        if fetches_and_runs(command) {
            findings.push(Finding::new("download-into-shell", Severity::Block, PIPED));
        }
    }
}

/// The later stages of a command's pipeline.
fn piped_into<'a>(command: &'a SimpleCommand, line: &'a [SimpleCommand]) -> impl Iterator<Item = &'a SimpleCommand> {
    let (pipeline, place) = command.pipeline;
    line.iter()
        .filter(move |other| other.pipeline.0 == pipeline && other.pipeline.1 > place)
}

/// Whether a command runs what a download of the line prints.
fn runs_download(command: &SimpleCommand, line: &[SimpleCommand], trusted: &dyn Fn(&SimpleCommand) -> bool) -> bool {
    let untrusted = |text: &str| {
        let inner = line
            .iter()
            .filter(|other| downloads(other) && text.contains(other.argv[0].text.as_str()));
        let mut any = false;
        for download in inner {
            any = true;
            if !trusted(download) {
                return true;
            }
        }
        !any && names_downloader(text)
    };
    if downloads(command) && !trusted(command) {
        let later: Vec<&SimpleCommand> = piped_into(command, line).collect();
        // `curl … | tee >(sh)`
        if line
            .iter()
            .any(|other| other.via.last().is_some_and(|via| via == ">()") && runs_its_input(other))
        {
            return true;
        }
        // `curl … | while read l; do bash -c "$l"`, `| xargs sh -c '{}'`: a program that is only known when it runs.
        let dynamic = |other: &&SimpleCommand| !other.argv[0].known && other.via.iter().any(|via| runs_text(via));
        if later.iter().any(|other| runs_its_input(other) || dynamic(other)) {
            return true;
        }
    }
    let name = program(command);
    let substituted = |word: &Word| !word.known && is_substitution(&word.text) && untrusted(&word.text);
    // `$(curl …)` as the program, `bash <(curl …)`, `sh -c "$(curl …)"`, `eval`, `source`.
    if substituted(&command.argv[0]) && !command.argv[0].text.starts_with(['/', '.']) {
        return true;
    }
    let runs_words = interpreter(&name)
        || matches!(
            name.as_str(),
            "eval" | "source" | "." | "iex" | "invoke-expression" | "exec" | "env"
        );
    if runs_words && command.args().iter().any(substituted) {
        return true;
    }
    let input = command
        .redirects
        .iter()
        .filter(|redirect| redirect.operator.contains('<'));
    if runs_its_input(command)
        && input
            .into_iter()
            .any(|redirect| is_substitution(&redirect.target.text) && untrusted(&redirect.target.text))
    {
        return true;
    }
    // `echo "$(curl …)" | bash`
    if matches!(name.as_str(), "echo" | "printf" | "cat") && command.args().iter().any(substituted) {
        return piped_into(command, line).any(runs_its_input);
    }
    // `x=$(curl …); eval "$x"`: what it holds cannot be followed, but both stand in one line.
    let text = command.args().first().map_or("", |word| word.text.as_str());
    let variable = (name == "eval" || (shell(&name) && command.has_arg("-c")))
        && command
            .args()
            .last()
            .is_some_and(|word| !word.known && word.text.starts_with('$') && !word.text.contains('('));
    variable
        && !text.is_empty()
        && line
            .iter()
            .any(|other| downloads(other) && other.via.iter().any(|via| via == "$()") && !trusted(other))
}

fn runs_text(via: &str) -> bool {
    via.ends_with("-c") || via == "eval" || via == "xargs" || via.contains("parallel")
}

fn is_substitution(text: &str) -> bool {
    text.contains("$(") || text.contains('`') || text.contains("<(")
}

fn names_downloader(text: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))
        .any(|word| matches!(word, "curl" | "wget" | "iwr" | "irm" | "aria2c"))
        && is_substitution(text)
}

/// Whether a command starts a file that an earlier download of the line saved.
fn runs_saved(command: &SimpleCommand, line: &[SimpleCommand], trusted: &dyn Fn(&SimpleCommand) -> bool) -> bool {
    let name = program(command);
    let file = if interpreter(&name) || matches!(name.as_str(), "source" | ".") {
        let mut operands = command.args().iter().filter(|word| !word.text.starts_with('-'));
        match operands.next() {
            Some(word) => word.text.clone(),
            None => return false,
        }
    } else {
        command.argv[0].text.clone()
    };
    if !file.contains('/') && !interpreter(&name) && !matches!(name.as_str(), "source" | ".") {
        return false;
    }
    let place = |path: &str| spell::absolute(path, "/", "/~");
    line.iter()
        .take_while(|other| !std::ptr::eq(*other, command))
        .any(|other| {
            let saves = downloads(other) || piped_from_download(other, line);
            saves && !trusted(other) && saved(other).iter().any(|path| place(path) == place(&file))
        })
}

fn piped_from_download(command: &SimpleCommand, line: &[SimpleCommand]) -> bool {
    line.iter()
        .any(|other| downloads(other) && piped_into(other, line).any(|later| later == command))
}

/// The files that a download writes: `-o`, `>`, and what `-O` and wget name after the URL.
fn saved(command: &SimpleCommand) -> Vec<String> {
    let mut files: Vec<String> = touch::touches(command)
        .into_iter()
        .filter(|touch| touch.access == Access::Write)
        .map(|touch| touch.path.text)
        .collect();
    let name = program(command);
    if matches!(name.as_str(), "aria2c" | "axel") {
        let given = ["-o", "--out", "--output"]
            .iter()
            .find_map(|option| value(command.args(), option));
        files.extend(given.map(str::to_string));
    }
    let by_url = matches!(name.as_str(), "wget" | "wget2" | "aria2c" | "axel")
        || command.args().iter().any(|word| {
            matches!(word.text.as_str(), "--remote-name" | "--remote-name-all")
                || (word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('O'))
        });
    if by_url {
        for target in targets(command) {
            let path = target.path.split(['?', '#']).next().unwrap_or("");
            let last = path.rsplit('/').next().unwrap_or("");
            if !last.is_empty() {
                files.push(last.to_string());
            }
        }
    }
    files
}

/// Programs that turn a coded text into a plain one.
fn decodes(command: &SimpleCommand) -> bool {
    let has = |options: &[&str]| command.args().iter().any(|word| options.contains(&word.text.as_str()));
    match program(command).as_str() {
        "base64" | "base32" | "basenc" => has(&["-d", "-D", "--decode", "-di"]),
        "xxd" => command
            .args()
            .iter()
            .any(|word| word.text.starts_with("-r") || word.text.contains("-p")),
        "openssl" => has(&["enc", "base64"]) && has(&["-d"]),
        "uudecode" => true,
        _ => false,
    }
}

/// Programs and programs' texts that fetch and run by themselves.
fn fetches_and_runs(command: &SimpleCommand) -> bool {
    let name = program(command);
    let lower: String = command
        .args()
        .iter()
        .map(|word| word.text.to_ascii_lowercase())
        .collect::<Vec<_>>()
        .join(" ");
    let has_url = lower.contains("http://") || lower.contains("https://");
    match name.as_str() {
        "mshta" => has_url,
        "certutil" => has_url && lower.contains("urlcache"),
        "bitsadmin" | "start-bitstransfer" => has_url,
        "regsvr32" => lower.contains("/i:http"),
        "deno" => {
            (lower.starts_with("run ") || lower.starts_with("eval "))
                && has_url
                && !lower.contains("https://deno.land/")
                && !lower.contains("https://jsr.io/")
        }
        "pwsh" | "powershell" | "iex" | "invoke-expression" => fetching_powershell(&lower),
        _ if interpreter(&name) && !shell(&name) => {
            let fetches = [
                "urlopen",
                "requests.get",
                "urllib",
                "http.get",
                "fetch(",
                "net::http",
                "open-uri",
                "lwp::",
                "file_get_contents('http",
                "file_get_contents(\"http",
                "socket.http",
            ];
            let runs = [
                "exec(",
                "eval(",
                "eval ",
                "os.system",
                "subprocess",
                "child_process",
                "system(",
                "loadstring",
                "instance_eval",
                "new function(",
            ];
            has_url && fetches.iter().any(|word| lower.contains(word)) && runs.iter().any(|word| lower.contains(word))
        }
        _ => false,
    }
}

/// A PowerShell text that runs what it fetches.
pub(crate) fn fetching_powershell(lower: &str) -> bool {
    let words = || lower.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '.'));
    let runs = words().any(|word| matches!(word, "iex" | "invoke-expression"))
        || lower.contains("[scriptblock]::create")
        || lower.contains("invokescript");
    let fetches = words().any(|word| {
        matches!(
            word,
            "iwr" | "irm" | "curl" | "wget" | "invoke-webrequest" | "invoke-restmethod"
        )
    }) || lower.contains("downloadstring")
        || lower.contains("downloaddata")
        || lower.contains("net.webclient");
    runs && fetches
}

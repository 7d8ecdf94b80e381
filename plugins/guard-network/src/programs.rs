//! Programs that reach the network, and where on their command lines the hosts stand.

use crate::url::{self, Target};
use hookbox_pack::touch::{CURL_LONG, CURL_SHORT, parse, program, remote};
use hookbox_sdk::{SimpleCommand, Word};

/// Programs that fetch what a URL names.
pub(crate) const DOWNLOADERS: &[&str] = &[
    "curl",
    "wget",
    "wget2",
    "aria2c",
    "axel",
    "lynx",
    "w3m",
    "links",
    "http",
    "https",
    "xh",
    "fetch",
    "lwp-request",
    "get",
    "iwr",
    "irm",
    "curlie",
    "invoke-webrequest",
    "invoke-restmethod",
    "gh",
];

/// Programs that run the text they read.
pub(crate) fn runs_its_input(command: &SimpleCommand) -> bool {
    let name = program(command);
    let args: Vec<&str> = command.args().iter().map(|word| word.text.as_str()).collect();
    let from_input = |text: &str| matches!(text, "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0");
    if shell(&name) {
        if let Some(at) = args.iter().position(|arg| is_code_option(arg, 'c')) {
            // `xargs bash -c`: what comes through the pipe is the code.
            let fed = command.via.iter().any(|via| via.starts_with("xargs"));
            return fed && command.args().get(at + 1).is_none_or(|code| !code.known);
        }
        let mut options = args.iter();
        let mut operand = None;
        while let Some(arg) = options.next() {
            if matches!(*arg, "-s" | "--stdin")
                || (arg.starts_with('-') && !arg.starts_with("--") && arg.contains('s') && arg.len() < 5)
            {
                return true;
            }
            if matches!(*arg, "-o" | "-O" | "+o" | "+O" | "--rcfile" | "--init-file") {
                options.next();
            } else if !arg.starts_with(['-', '+']) || *arg == "-" {
                operand = Some(*arg);
                break;
            }
        }
        return operand.is_none_or(from_input);
    }
    match base(&name) {
        "python" | "pypy" | "perl" | "ruby" | "node" | "nodejs" | "php" | "lua" | "luajit" | "deno" | "bun"
        | "osascript" | "rscript" | "julia" | "groovy" | "tclsh" | "guile" | "elixir" => {
            let code = args.iter().any(|arg| {
                matches!(
                    *arg,
                    "-m" | "-e"
                        | "-E"
                        | "-c"
                        | "-p"
                        | "-r"
                        | "-n"
                        | "-V"
                        | "--version"
                        | "-v"
                        | "--eval"
                        | "--print"
                        | "eval"
                        | "--help"
                ) || (arg.starts_with('-')
                    && !arg.starts_with("--")
                    && arg.len() > 2
                    && arg[1..].contains(['e', 'c', 'n', 'p', 'm']))
            });
            let operand = args.iter().find(|arg| !arg.starts_with('-') || **arg == "-");
            !code
                && operand.is_none_or(|operand| {
                    from_input(operand) || (matches!(*operand, "run" | "repl") && args.contains(&"-"))
                })
        }
        "iex" | "invoke-expression" | "pwsh" | "powershell" => {
            !args.iter().any(|arg| arg.to_ascii_lowercase().starts_with("-f"))
        }
        "source" | "." => args.first().is_some_and(|arg| from_input(arg)),
        "at" | "batch" => true,
        "psql" | "mysql" | "sqlite3" => false,
        _ => false,
    }
}

/// `python3.12` as `python`.
fn base(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
}

pub(crate) fn shell(name: &str) -> bool {
    matches!(
        name,
        "sh" | "bash"
            | "zsh"
            | "dash"
            | "ksh"
            | "fish"
            | "ash"
            | "csh"
            | "tcsh"
            | "rbash"
            | "mksh"
            | "yash"
            | "nu"
            | "elvish"
            | "xonsh"
    )
}

/// Interpreters whose `-c` or `-e` is a program.
pub(crate) fn interpreter(name: &str) -> bool {
    shell(name)
        || matches!(
            base(name),
            "python"
                | "pypy"
                | "perl"
                | "ruby"
                | "node"
                | "nodejs"
                | "php"
                | "lua"
                | "luajit"
                | "deno"
                | "bun"
                | "pwsh"
                | "powershell"
                | "osascript"
                | "awk"
                | "gawk"
                | "tclsh"
                | "julia"
        )
}

fn is_code_option(arg: &str, letter: char) -> bool {
    arg.starts_with('-') && !arg.starts_with("--") && arg.len() < 8 && arg.contains(letter)
}

pub(crate) fn downloads(command: &SimpleCommand) -> bool {
    let name = program(command);
    match name.as_str() {
        "gh" => command.has_arg("api") && command.args().iter().any(|word| word.text.contains("contents")),
        "nc" | "ncat" | "netcat" => !command.args().iter().any(|word| word.text.starts_with("-l")),
        "lynx" | "w3m" | "links" => command
            .args()
            .iter()
            .any(|word| word.text.contains("dump") || word.text.contains("source")),
        name => DOWNLOADERS.contains(&name),
    }
}

/// Every host that a command's words name, as far as its program is known to reach hosts.
pub(crate) fn targets(command: &SimpleCommand) -> Vec<Target> {
    let name = program(command);
    let args = command.args();
    let mut found = Vec::new();
    let urls = |words: &[Word], found: &mut Vec<Target>| {
        for word in words {
            // `--option=https://…`, `-c x=https://…` as well.
            let text = word.text.as_str();
            if let Some(at) = text.find("://").filter(|_| text.len() < 8192) {
                let start = text[..at]
                    .rfind(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')))
                    .map_or(0, |at| at + 1);
                found.extend(url::target(&text[start..]));
            }
        }
    };
    match name.as_str() {
        "curl" | "curlie" => {
            let parsed = parse(args, CURL_SHORT, CURL_LONG);
            for word in &parsed.operands {
                for text in hookbox_pack::glob::braces(&word.text) {
                    found.extend(url::target(&text).filter(|target| target.scheme != "file"));
                }
            }
            for (option, value) in &parsed.options {
                let Some(value) = value else { continue };
                match option.as_str() {
                    "url" | "x" | "proxy" => found.extend(url::target(&value.text)),
                    // `from:port:to:port`: the request goes to the second.
                    "connect-to" | "resolve" => {
                        let to = value.text.splitn(3, ':').nth(2).unwrap_or("");
                        found.extend(url::target(to.trim_start_matches('+')));
                    }
                    _ => {}
                }
            }
        }
        "wget" | "wget2" | "aria2c" | "axel" => {
            let parsed = parse(
                args,
                "OoPaietTQUlADRXdsx",
                &[
                    "header",
                    "user-agent",
                    "post-data",
                    "output-document",
                    "directory-prefix",
                    "post-file",
                ],
            );
            found.extend(parsed.operands.iter().filter_map(|word| url::target(&word.text)));
        }
        "http" | "https" | "xh" | "curlftpfs" | "invoke-webrequest" | "invoke-restmethod" | "iwr" | "irm" => {
            let host = args
                .iter()
                .find(|word| word.text.contains("://") || (word.text.contains('.') && !word.text.starts_with('-')));
            found.extend(host.and_then(|word| url::target(&word.text)));
            urls(args, &mut found);
            found.dedup();
        }
        "ssh" | "mosh" | "sftp" | "telnet" | "ftp" | "nc" | "ncat" | "netcat" | "ping" | "ping6" | "traceroute"
        | "mtr" | "nmap" | "whois" | "ssh-copy-id" => {
            let parsed = parse(args, "bcDEeFIiJLlmOopQRSWwBpst", &[]);
            let host = parsed.operands.first().map(|word| word.text.as_str()).unwrap_or("");
            found.extend(url::target(host).map(|target| Target {
                user: String::new(),
                ..target
            }));
        }
        "dig" | "nslookup" | "host" | "drill" => {
            let names = args
                .iter()
                .filter(|word| !word.text.starts_with(['-', '+']) && word.text.contains(['.', '$', '`']));
            found.extend(names.filter_map(|word| url::target(word.text.trim_start_matches('@'))));
        }
        "scp" | "rsync" => {
            for word in args.iter().filter(|word| !word.text.starts_with('-')) {
                match remote(&word.text) {
                    Some((host, _)) if !word.text.contains("://") => {
                        found.extend(url::target(host).map(|target| Target {
                            user: String::new(),
                            ..target
                        }))
                    }
                    _ => urls(std::slice::from_ref(word), &mut found),
                }
            }
        }
        "git" => {
            urls(args, &mut found);
            // `git@host:path`
            for word in args
                .iter()
                .filter(|word| !word.text.contains("://") && !word.text.contains(' '))
            {
                if let Some((before, _)) = remote(&word.text)
                    && let Some((_, host)) = before.split_once('@')
                {
                    found.extend(url::target(host));
                }
            }
        }
        "npm" | "pnpm" | "yarn" | "bun" | "npx" | "pip" | "pip3" | "uv" | "pipx" | "poetry" | "cargo" | "go"
        | "gem" | "docker" | "podman" | "kubectl" | "helm" | "brew" | "deno" | "gh" | "aws" | "websocat" | "wscat"
        | "grpcurl" | "ab" | "wrk" | "hey" | "k6" | "yt-dlp" | "lynx" | "w3m" | "links" | "fetch" | "httpx"
        | "ffuf" | "sqlmap" | "psql" | "mongosh" | "redis-cli" | "cosign" | "oras" | "skopeo" | "svn" | "hg"
        | "open" | "xdg-open" | "start" | "code" | "certutil" | "bitsadmin" | "mshta" | "playwright" => {
            urls(args, &mut found)
        }
        _ => {}
    }
    found
}

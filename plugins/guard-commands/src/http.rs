//! HTTP calls that delete: `curl -X DELETE`, and POSTs whose address says so.

use Severity::{Ask, Strict};
use hookbox_pack::words::program;
use hookbox_pack::{Finding, Severity};
use hookbox_sdk::SimpleCommand;

/// Ports at which a server on this machine keeps data or rules others, rather than an application under development.
const ADMIN_PORTS: &[&str] = &[
    "2019", "2375", "2376", "2379", "4646", "5984", "6333", "6443", "7474", "7700", "8001", "8080", "8086", "8088",
    "8091", "8108", "8123", "8200", "8444", "8500", "8529", "8983", "9000", "9091", "9093", "9200", "9201", "9600",
    "10250", "15672", "19530",
];
/// Parts of an address that delete, whatever the method.
const DELETING: &[&str] = &[
    "_delete_by_query",
    "/dodelete",
    "/dowipeoutworkspace",
    "delete_series",
    "clean_tombstones",
    "/scripttext",
    "/safeexit",
    "/safeshutdown",
    "/_forcemerge?only_expunge",
    "/unload",
    "/purge_cache",
    "/purge",
    "/_close",
    "/flushall",
    "/_cache/clear",
    "action=delete",
    "command=delete",
    "/deleteall",
    "/truncate",
    "/_bulk_delete",
    "/-/quit",
    "/agent/leave",
    "/actuator/shutdown",
];

pub(crate) fn judge(command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let name = program(&command.argv[0].text);
    if !matches!(
        name.as_str(),
        "curl"
            | "wget"
            | "http"
            | "https"
            | "xh"
            | "xhs"
            | "curlie"
            | "httpie"
            | "hurl"
            | "invoke-webrequest"
            | "invoke-restmethod"
            | "iwr"
            | "irm"
    ) {
        return;
    }
    let method = method(command).unwrap_or_default();
    let url = command
        .args()
        .iter()
        .map(|word| word.text.trim_matches(['"', '\'']))
        .find(|text| is_address(text))
        .unwrap_or("");
    let socket = command
        .args()
        .iter()
        .any(|word| word.text.contains("docker.sock") || word.text.contains("containerd.sock"));
    let lower = url.to_ascii_lowercase();
    let path = lower.split_once("://").map_or(lower.as_str(), |(_, rest)| rest);
    if method == "DELETE" {
        let severity = if url.is_empty() || !is_local(url) || administers(url) || socket {
            Ask
        } else {
            Strict
        };
        findings.push(Finding::new(
            "http-delete",
            severity,
            format!("an HTTP DELETE of {url} deletes at the server: GET it first and let the user confirm"),
        ));
    } else if deletes_by_address(path, &method) || !is_local(url) && deletes_by_mutation(command) {
        findings.push(Finding::new(
            "http-delete",
            Ask,
            format!(
                "this call to {url} deletes at the server: read what it would delete first and let the user confirm"
            ),
        ));
    } else if method == "PURGE" || method == "BAN" {
        findings.push(Finding::new(
            "http-delete",
            Ask,
            format!("{method} empties the cache in front of {url}: let the user do it"),
        ));
    }
}

/// Whether an address says that it deletes: a part that does for any POST, a last part `delete`, or a GET that Solr obeys.
fn deletes_by_address(path: &str, method: &str) -> bool {
    if path.contains("action=unload") || path.contains("stream.body=<delete") || path.contains("stream.body=%3cdelete")
    {
        return true;
    }
    let last = path
        .split(['?', '#'])
        .next()
        .unwrap_or("")
        .rsplit('/')
        .next()
        .unwrap_or("");
    !matches!(method, "" | "GET" | "HEAD" | "OPTIONS")
        && (DELETING.iter().any(|part| path.contains(part))
            || matches!(last, "delete" | "destroy" | "remove" | "wipe" | "terminate"))
}

/// A GraphQL mutation whose name deletes.
fn deletes_by_mutation(command: &SimpleCommand) -> bool {
    command.args().iter().any(|word| {
        let lower = word.text.to_ascii_lowercase();
        lower
            .split_once("mutation")
            .is_some_and(|(_, rest)| ["delete", "destroy", "purge"].iter().any(|verb| rest.contains(verb)))
    })
}

/// The method in capitals. Data without a method means POST.
fn method(command: &SimpleCommand) -> Option<String> {
    let mut words = command.args().iter().map(|word| word.text.as_str()).peekable();
    let mut posts = false;
    while let Some(text) = words.next() {
        let lower = text.to_ascii_lowercase();
        if matches!(lower.as_str(), "--request" | "--method" | "-method" | "-customrequest")
            || (text.starts_with('-') && !text.starts_with("--") && text.ends_with('X'))
        {
            return words
                .next()
                .map(|method| method.trim_matches(['"', '\'']).to_ascii_uppercase());
        }
        if let Some(method) = lower
            .strip_prefix("--request=")
            .or_else(|| lower.strip_prefix("--method="))
        {
            return Some(method.to_ascii_uppercase());
        }
        if let Some(method) = text.strip_prefix("-X") {
            return Some(method.trim_start_matches('=').to_ascii_uppercase());
        }
        if let Some(at) = text
            .find('X')
            .filter(|_| text.starts_with('-') && !text.starts_with("--") && text.len() < 16)
        {
            return Some(text[at + 1..].to_ascii_uppercase());
        }
        if matches!(text, "DELETE" | "delete" | "PURGE") {
            return Some(text.to_ascii_uppercase());
        }
        posts |= text == "-d"
            || lower.starts_with("--data")
            || lower == "--json"
            || lower.starts_with("--post")
            || text == "-F";
    }
    posts.then(|| "POST".into())
}

fn is_address(text: &str) -> bool {
    !text.starts_with(['-', '@', '{'])
        && (text.contains("://")
            || text.starts_with("localhost")
            || (text.contains('.') && text.contains('/'))
            || text.starts_with(':'))
}

fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or("");
    authority.rsplit('@').next().unwrap_or(authority)
}

fn is_local(url: &str) -> bool {
    let authority = authority(url);
    let host = if authority.starts_with('[') {
        authority.split(']').next().unwrap_or("")
    } else {
        authority.split(':').next().unwrap_or("")
    };
    matches!(host, "localhost" | "0.0.0.0" | "[::1" | "" | "host.docker.internal")
        || host.starts_with("127.")
        || host.ends_with(".localhost")
}

fn administers(url: &str) -> bool {
    let port = authority(url).rsplit(':').next().unwrap_or("");
    ADMIN_PORTS.contains(&port) && port != "8080" || url.contains("/_") || url.contains("/admin/")
}

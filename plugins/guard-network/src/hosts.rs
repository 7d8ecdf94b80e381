//! Which hosts are dangerous, and what the settings say about the others.

use crate::names::{self, Script};
use crate::url::{Host, Target};
use hookbox_pack::{Finding, Severity};

/// One entry of `allow` or `deny`: `example.com` (the host alone), `*.example.com` (hosts below it), `.example.com` (both), each
/// with a scheme before (`https://`) and a port behind (`:8443`) where they matter.
#[derive(Clone, Debug)]
pub(crate) struct HostRule {
    scheme: Option<String>,
    name: String,
    below: bool,
    itself: bool,
    port: Option<u16>,
}

impl HostRule {
    /// # Errors
    /// What is wrong with the entry.
    pub(crate) fn new(entry: &str, place: &str) -> Result<Self, String> {
        let (scheme, rest) = match entry.trim().split_once("://") {
            Some((scheme, rest)) => (Some(scheme.to_ascii_lowercase()), rest),
            None => (None, entry.trim()),
        };
        let rest = rest.trim_end_matches('/');
        if rest.contains(['/', '@', '?', ' ']) {
            return Err(format!(
                "{place}: {entry:?} is no host: write `example.com`, `*.example.com` or `https://example.com:8443`"
            ));
        }
        let (rest, below, itself) = match (rest.strip_prefix("*."), rest.strip_prefix('.')) {
            (Some(rest), _) => (rest, true, false),
            (_, Some(rest)) => (rest, true, true),
            _ => (rest, false, true),
        };
        if rest.is_empty() || rest.contains('*') {
            return Err(format!(
                "{place}: {entry:?}: a `*` stands for the first parts of a name: `*.example.com`"
            ));
        }
        let target = crate::url::target(rest).ok_or_else(|| format!("{place}: {entry:?} names no host"))?;
        Ok(HostRule {
            scheme,
            name: target.host.name,
            below,
            itself,
            port: target.port,
        })
    }

    pub(crate) fn covers(&self, target: &Target) -> bool {
        let name = &target.host.name;
        let below = self.below && name.strip_suffix(&self.name).is_some_and(|rest| rest.ends_with('.'));
        let host = (self.itself && *name == self.name) || below;
        let scheme = self.scheme.as_ref().is_none_or(|scheme| *scheme == target.scheme);
        let port = self
            .port
            .is_none_or(|port| target.port.or_else(|| usual_port(&target.scheme)) == Some(port));
        host && scheme && port && !target.host.unknown
    }
}

fn usual_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" | "ws" => Some(80),
        "https" | "wss" => Some(443),
        "ssh" => Some(22),
        "ftp" => Some(21),
        _ => None,
    }
}

/// This machine.
pub(crate) fn local(host: &Host) -> bool {
    let name = host.name.as_str();
    matches!(name, "localhost" | "::1" | "host.docker.internal" | "0.0.0.0")
        || name.ends_with(".localhost")
        || matches!(host.address, Some([127, ..]))
}

/// Addresses of a private network.
fn private(host: &Host) -> bool {
    matches!(host.address, Some([10, ..] | [192, 168, ..] | [172, 16..=31, ..]))
}

/// Places where anybody leaves and fetches data without a name.
const DROPS: &[&str] = &[
    "webhook.site",
    "requestbin.com",
    "requestbin.net",
    "pipedream.net",
    "requestcatcher.com",
    "beeceptor.com",
    "hookbin.com",
    "interact.sh",
    "interactsh.com",
    "oast.fun",
    "oast.pro",
    "oast.live",
    "oast.site",
    "oast.online",
    "oast.me",
    "burpcollaborator.net",
    "oastify.com",
    "canarytokens.com",
    "dnslog.cn",
    "ceye.io",
    "postb.in",
    "putsreq.com",
    "ptsv2.com",
    "webhook-test.com",
    "smee.io",
];
/// Places to share files and texts: good for reading, a way out for data.
const SHARES: &[&str] = &[
    "transfer.sh",
    "file.io",
    "0x0.st",
    "termbin.com",
    "paste.ee",
    "pastebin.com",
    "ix.io",
    "sprunge.us",
    "hastebin.com",
    "dpaste.com",
    "dpaste.org",
    "paste.rs",
    "rentry.co",
    "gofile.io",
    "anonfiles.com",
    "temp.sh",
    "bashupload.com",
    "oshi.at",
    "catbox.moe",
    "tmpfiles.org",
    "ttm.sh",
    "envs.sh",
    "clbin.com",
    "p.ip.fi",
    "keep.sh",
    "filebin.net",
    "wetransfer.com",
    "mega.nz",
    "ngrok.io",
    "ngrok.app",
    "ngrok-free.app",
    "ngrok-free.dev",
    "trycloudflare.com",
    "loca.lt",
    "serveo.net",
    "localhost.run",
    "pagekite.me",
];

fn among(name: &str, table: &[&str]) -> bool {
    table.iter().any(|host| {
        name.strip_suffix(host)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    })
}

/// Where anybody may leave data.
pub(crate) fn open_to_all(target: &Target) -> bool {
    let name = &target.host.name;
    let bot = (name == "discord.com" || name == "discordapp.com") && target.path.starts_with("/api/webhooks");
    among(name, DROPS) || among(name, SHARES) || bot || (name == "api.telegram.org" && target.path.starts_with("/bot"))
}

/// The service that gives a cloud machine its credentials.
fn metadata(target: &Target) -> bool {
    let name = target.host.name.as_str();
    let by_address = match target.host.address {
        Some([169, 254, ..] | [100, 100, 100, 200] | [192, 0, 0, 192] | [168, 63, 129, 16]) => true,
        Some(_) => false,
        None => ["169.254.169.254", "169-254-169-254", "a9fea9fe"]
            .iter()
            .any(|address| name.contains(address)),
    };
    by_address
        || name.starts_with("fd00:ec2:")
        || matches!(
            name,
            "metadata"
                | "metadata.google.internal"
                | "metadata.goog"
                | "instance-data"
                | "metadata.azure.internal"
                | "metadata.tencentyun.com"
        )
        || name.starts_with("instance-data.")
}

/// What is wrong with a target whatever the settings are.
pub(crate) fn judge(target: &Target, findings: &mut Vec<Finding>) {
    if metadata(target) {
        findings.push(Finding::new(
            "cloud-metadata",
            Severity::Block,
            "this asks a cloud machine's metadata service, which hands out credentials: use the cloud's own command line, or ask the user",
        ));
    }
    if disguised(&target.user) {
        findings.push(Finding::new(
            "userinfo",
            Severity::Block,
            format!("what stands before `@` looks like a host, but the request goes to {:?}: write the URL of the host you mean", shown(&target.host.name)),
        ));
    }
    if target.host.odd && !local(&target.host) {
        findings.push(Finding::new(
            "odd-address",
            Severity::Block,
            format!(
                "this is {} in an unusual notation: write the address as four numbers",
                target.host.name
            ),
        ));
    }
    if target.hidden {
        findings.push(Finding::new(
            "hidden-characters",
            Severity::Block,
            "the URL holds characters that nobody sees: type it again",
        ));
    }
    match names::script(&target.host.name) {
        Script::LookAlike => findings.push(Finding::new(
            "look-alike",
            Severity::Block,
            "the host's name uses letters of another script that look like Latin ones: type the name of the host you mean",
        )),
        Script::International => findings.push(Finding::new("international-name", Severity::Strict, "the host's name is not ASCII: is it the one you mean?")),
        Script::Plain => {}
    }
    if among(&target.host.name, DROPS) {
        findings.push(Finding::new(
            "data-drop",
            Severity::Block,
            "this host collects whatever is sent to it: use a host of the project, or a local server to test against",
        ));
    } else if among(&target.host.name, SHARES) {
        findings.push(Finding::new(
            "file-sharing",
            Severity::Strict,
            "anybody can leave files and texts at this host: is this the source you mean?",
        ));
    }
    if matches!(
        target.scheme.as_str(),
        "gopher" | "dict" | "tftp" | "ldap" | "jar" | "netdoc"
    ) {
        findings.push(Finding::new(
            "scheme",
            Severity::Block,
            "this scheme reaches services that speak no HTTP: use https",
        ));
    }
    if private(&target.host) {
        findings.push(Finding::new(
            "private-network",
            Severity::Paranoid,
            "this reaches into a private network",
        ));
    }
}

/// A user name that is meant to be taken for a host: `github.com@`, `github.com:443@`. A mail address (`me@corp.example:…@`)
/// and `first.last` are none.
fn disguised(user: &str) -> bool {
    const ENDINGS: [&str; 28] = [
        "com", "org", "net", "io", "dev", "app", "edu", "gov", "mil", "co", "ai", "me", "info", "biz", "cloud", "uk",
        "de", "fr", "ru", "cn", "jp", "eu", "us", "ca", "example", "internal", "local", "sh",
    ];
    let name = user
        .split([':', '@', '/'])
        .find(|part| !part.is_empty() && !matches!(*part, "https" | "http"))
        .unwrap_or("");
    !name.contains(['$', '{'])
        && name
            .rsplit_once('.')
            .is_some_and(|(rest, last)| !rest.is_empty() && ENDINGS.contains(&last.to_ascii_lowercase().as_str()))
}

/// A host for a reason: short, and in ASCII.
pub(crate) fn shown(host: &str) -> String {
    host.chars().take(80).flat_map(char::escape_default).collect()
}

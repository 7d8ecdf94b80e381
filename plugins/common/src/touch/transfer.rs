//! Programs that move files between machines: curl, wget, clouds, containers, forges.

use super::{Access, Touch, by_option, parse, part, push, remote, remote_target};
use hookbox_sdk::Word;

/// Long options of curl that take a value and matter to where operands are.
pub const CURL_LONG: &[&str] = &[
    "data",
    "data-binary",
    "data-raw",
    "data-ascii",
    "data-urlencode",
    "json",
    "form",
    "form-string",
    "upload-file",
    "output",
    "output-dir",
    "header",
    "request",
    "user",
    "user-agent",
    "url",
    "config",
    "cookie",
    "cookie-jar",
    "cacert",
    "cert",
    "key",
    "max-time",
    "connect-timeout",
    "retry",
    "retry-delay",
    "proxy",
    "referer",
    "resolve",
    "connect-to",
    "interface",
    "range",
    "write-out",
    "dump-header",
    "stderr",
    "trace",
    "trace-ascii",
    "netrc-file",
    "oauth2-bearer",
    "unix-socket",
    "limit-rate",
    "max-redirs",
    "proto",
    "proto-redir",
    "proto-default",
    "ciphers",
    "capath",
    "pass",
    "proxy-user",
    "noproxy",
    "doh-url",
    "continue-at",
    "speed-limit",
    "speed-time",
    "retry-max-time",
    "max-filesize",
    "parallel-max",
    "aws-sigv4",
    "url-query",
    "mail-from",
    "mail-rcpt",
    "time-cond",
    "dns-servers",
    "pinnedpubkey",
    "socks5",
    "socks5-hostname",
    "preproxy",
];

/// Short options of curl that take a value.
pub const CURL_SHORT: &str = "dFTouAHXeKbcEmxrwDCYyzQtPU";

pub(super) fn curl(args: &[Word], found: &mut Vec<Touch>) {
    let parsed = parse(args, CURL_SHORT, CURL_LONG);
    for (name, value) in &parsed.options {
        let Some(value) = value else { continue };
        let text = value.text.as_str();
        match name.as_str() {
            "d" | "data" | "data-binary" | "data-ascii" | "json" => {
                if let Some(path) = text.strip_prefix('@') {
                    push(found, Access::Send, &part(value, path));
                }
            }
            "data-urlencode" | "F" | "form" | "H" | "header" => {
                if let Some((_, path)) = text.split_once(['@', '<']).filter(|(key, _)| !key.contains(':')) {
                    let path = path.split(';').next().unwrap_or(path);
                    push(found, Access::Send, &part(value, path));
                }
            }
            "T" | "upload-file" => {
                // `-T {a,b}` is curl's own glob.
                for path in crate::glob::braces(text) {
                    push(found, Access::Send, &part(value, &path));
                }
            }
            "K" | "config" | "netrc-file" | "b" | "cookie" if text != "-" => push(found, Access::Read, value),
            "o" | "output" | "c" | "cookie-jar" | "D" | "dump-header" | "output-dir" | "trace" | "trace-ascii"
            | "stderr" => {
                push(found, Access::Write, value);
            }
            "url" if text.starts_with("file:") => push(found, Access::Read, value),
            _ => {}
        }
    }
    for word in parsed.operands.iter().filter(|word| word.text.starts_with("file:")) {
        push(found, Access::Read, word);
    }
}

pub(super) fn wget(args: &[Word], found: &mut Vec<Touch>) {
    let long = [
        "post-file",
        "body-file",
        "post-data",
        "output-document",
        "directory-prefix",
        "output-file",
        "input-file",
        "header",
        "user-agent",
        "load-cookies",
        "save-cookies",
    ];
    let parsed = parse(args, "OoPaietTQUlADRX", &long);
    for (name, value) in &parsed.options {
        let Some(value) = value else { continue };
        match name.as_str() {
            "post-file" | "body-file" => push(found, Access::Send, value),
            "i" | "input-file" => push(found, Access::Send, value),
            "O" | "output-document" | "o" | "output-file" | "a" | "P" | "directory-prefix" if value.text != "-" => {
                push(found, Access::Write, value);
            }
            _ => {}
        }
    }
}

/// `http POST url field@file field=@file @file`.
pub(super) fn httpie(args: &[Word], found: &mut Vec<Touch>) {
    let parsed = parse(args, "aofps", &["auth", "output", "session"]);
    for word in &parsed.operands {
        if let Some((key, path)) = word.text.split_once('@')
            && !key.contains("://")
            && !key.contains('.')
        {
            push(found, Access::Send, &part(word, path));
        }
    }
    if let Some(output) = parsed.value(&["o", "output"]) {
        push(found, Access::Write, output);
    }
}

/// `aws s3 cp A s3://b`, `gsutil cp`, `gcloud storage cp`, `rclone copy A remote:b`, `az storage blob upload --file A`.
pub(super) fn cloud(name: &str, args: &[Word], found: &mut Vec<Touch>) {
    let copies = [
        "cp",
        "mv",
        "sync",
        "copy",
        "copyto",
        "move",
        "moveto",
        "put",
        "rsync",
        "upload",
        "mirror",
        "upload-file",
        "upload-batch",
        "scp",
    ];
    let Some(verb) = args.iter().position(|word| copies.contains(&word.text.as_str())) else {
        by_option(
            args,
            &[
                ("--body", Access::Send),
                ("--file", Access::Send),
                ("--data-file", Access::Send),
            ],
            found,
        );
        return;
    };
    let rest = args.get(verb + 1..).unwrap_or_default();
    let long = [
        "profile",
        "region",
        "acl",
        "exclude",
        "include",
        "storage-class",
        "endpoint-url",
        "project",
        "zone",
        "file",
        "f",
        "name",
        "container-name",
        "account-name",
        "source",
        "config",
    ];
    let parsed = parse(rest, "fn", &long);
    for option in ["file", "f", "source"] {
        parsed
            .value(&[option])
            .into_iter()
            .for_each(|word| push(found, Access::Send, word));
    }
    let is_remote = |text: &str| remote_target(text) || (name == "mc" && !text.starts_with(['.', '/', '~']));
    let Some((target, sources)) = parsed.operands.split_last() else {
        return;
    };
    for source in sources.iter().filter(|word| !is_remote(&word.text)) {
        let access = if is_remote(&target.text) {
            Access::Send
        } else {
            Access::Copy
        };
        found.push(Touch {
            access,
            path: (*source).clone(),
            to: Some(target.text.clone()),
        });
    }
    if !is_remote(&target.text) && !sources.is_empty() && target.text != "-" {
        push(found, Access::Write, target);
    }
}

/// `docker cp`, `kubectl cp`. What runs inside a container is a command of its own.
pub(super) fn containers(args: &[Word], found: &mut Vec<Touch>) {
    let Some(verb) = args.iter().position(|word| word.text == "cp") else {
        return;
    };
    let parsed = parse(
        args.get(verb + 1..).unwrap_or_default(),
        "nc",
        &["namespace", "container"],
    );
    let Some((target, sources)) = parsed.operands.split_last() else {
        return;
    };
    for source in sources {
        match remote(&source.text) {
            Some((_, path)) => push(found, Access::Copy, &part(source, path)),
            None => found.push(Touch {
                access: Access::Copy,
                path: (*source).clone(),
                to: Some(target.text.clone()),
            }),
        }
    }
    if remote(&target.text).is_none() && target.text != "-" {
        push(found, Access::Write, target);
    }
}

/// `gh gist create FILE`, `gh release upload TAG FILE`, `--body-file FILE`.
pub(super) fn forge(args: &[Word], found: &mut Vec<Touch>) {
    let parsed = parse(
        args,
        "dftFR",
        &[
            "desc",
            "filename",
            "title",
            "body",
            "body-file",
            "notes",
            "notes-file",
            "repo",
        ],
    );
    let verb: Vec<&str> = parsed.operands.iter().take(2).map(|word| word.text.as_str()).collect();
    match verb.as_slice() {
        ["gist" | "snippet", "create"] | ["release", "upload" | "create"] => {
            parsed
                .operands
                .iter()
                .skip(2)
                .for_each(|word| push(found, Access::Send, word));
        }
        ["issue" | "pr" | "mr", _] => {
            parsed
                .value(&["F", "body-file"])
                .into_iter()
                .for_each(|word| push(found, Access::Send, word));
        }
        _ => {}
    }
}

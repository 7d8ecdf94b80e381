//! Reads the keys that are hookbox's own: plugins, grants, limits, signers, and the policy of a layer.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::diagnostic::Diagnostic;
use super::json::{join, kind};
use super::reader::{Field, Findings, Object};
use super::suggest::nearest;
use super::types::{Grants, Limits, PluginEntry, PluginSource, Signer};
use crate::hosts::HostGrant;
use crate::output::OnFailure;

pub(super) const PLUGIN_KEYS: &[&str] = &["source", "digest", "signer", "grants", "limits"];
pub(super) const GRANT_KEYS: &[&str] = &["read", "stat", "env", "http", "state", "clock", "random"];
pub(super) const LIMIT_KEYS: &[&str] = &[
    "fuel",
    "memory",
    "timeout",
    "tableElements",
    "stack",
    "answer",
    "prepareTime",
];
pub(super) const NOTES: &[&str] = &["description", "comment"];
/// The kinds of key that a signer may have; exactly one of them.
pub(super) const SIGNER_KEYS: [&str; 2] = ["minisign", "cosign"];

/// `onFailure` of a handler or a layer. A value that cannot be read is taken as the strict one.
pub(super) fn on_failure(object: &Object<'_>, findings: &mut Findings) -> Option<OnFailure> {
    match object.map.get("onFailure")? {
        Value::String(word) if word == "block" => Some(OnFailure::Block),
        Value::String(word) if word == "continue" => Some(OnFailure::Continue),
        other => {
            findings.add(
                Diagnostic::error(
                    object.at("onFailure"),
                    format!("onFailure must be \"block\" or \"continue\", not {other}: read as \"block\""),
                )
                .hint("write \"onFailure\": \"block\""),
            );
            Some(OnFailure::Block)
        }
    }
}

pub(super) fn read_plugins(value: &Value, path: &str, findings: &mut Findings) -> BTreeMap<String, PluginEntry> {
    let Value::Object(map) = value else {
        findings.add(Diagnostic::error(
            path,
            format!("plugins must be an object of name and entry, not {}", kind(value)),
        ));
        return BTreeMap::new();
    };
    map.iter()
        .map(|(name, entry)| (name.clone(), plugin(name, entry, join(path, name), findings)))
        .collect()
}

fn plugin(name: &str, value: &Value, path: String, findings: &mut Findings) -> PluginEntry {
    let mut entry = PluginEntry {
        path: path.clone(),
        ..PluginEntry::default()
    };
    let Value::Object(map) = value else {
        let error = format!("a plugin is an object with \"source\", not {}", kind(value));
        findings.add(Diagnostic::error(path, error.clone()));
        entry.error = Some(error);
        return entry;
    };
    let object = Object::new(map, &path);
    object.unknown("a plugin", PLUGIN_KEYS, NOTES, findings);
    let mut fail = |key: &str, error: String, findings: &mut Findings| {
        findings.add(Diagnostic::error(object.at(key), error.clone()));
        entry.error.get_or_insert(error);
    };
    let source = match map.get("source") {
        None => Ok(PluginSource::Builtin(name.to_owned())),
        Some(Value::String(text)) => source(text),
        Some(other) => Err(format!("source must be a string, not {}", kind(other))),
    };
    let source = source.unwrap_or_else(|error| {
        fail("source", error, findings);
        PluginSource::default()
    });
    let digest = match map.get("digest") {
        None => None,
        Some(Value::String(text)) if is_digest(text) => Some(text.to_ascii_lowercase()),
        Some(_) => {
            fail(
                "digest",
                "digest must be \"sha256:\" and 64 hex digits".to_owned(),
                findings,
            );
            None
        }
    };
    let signer = match map.get("signer") {
        None => None,
        Some(Value::String(text)) if !text.is_empty() => Some(text.clone()),
        Some(_) => {
            fail("signer", "signer must be a name of \"signers\"".to_owned(), findings);
            None
        }
    };
    entry.source = source;
    entry.digest = digest;
    entry.signer = signer;
    if let Some(grants) = object.object("grants", findings).ok() {
        entry.grants = read_grants(grants, &object.at("grants"), findings);
    }
    if let Some(limits) = object.object("limits", findings).ok() {
        entry.limits = read_limits(limits, &object.at("limits"), findings);
    }
    entry
}

fn source(text: &str) -> Result<PluginSource, String> {
    if let Some(name) = text.strip_prefix("builtin:") {
        return if name.is_empty() {
            Err("builtin: without a name".to_owned())
        } else {
            Ok(PluginSource::Builtin(name.to_owned()))
        };
    }
    if let Some(reference) = text.strip_prefix("oci://") {
        return if reference.contains('/') {
            Ok(PluginSource::Oci(reference.to_owned()))
        } else {
            Err("an OCI source is oci://registry/repository:tag".to_owned())
        };
    }
    match text.split_once("://") {
        Some((scheme, _)) => Err(format!("unknown source {scheme}://: builtin:NAME, a path, or oci://…")),
        None if text.is_empty() => Err("an empty source".to_owned()),
        None => Ok(PluginSource::Path(text.to_owned())),
    }
}

fn is_digest(text: &str) -> bool {
    text.strip_prefix("sha256:")
        .is_some_and(|hex| hex.len() == 64 && hex.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Grants as a configuration writes them; also what a manifest asks for. One that cannot be read is not given.
pub fn read_grants_value(value: &Value, path: &str) -> (Grants, Vec<Diagnostic>) {
    let mut findings = Findings::default();
    let grants = match value {
        Value::Object(map) => read_grants(map, path, &mut findings),
        other => {
            findings.add(Diagnostic::error(
                path,
                format!("grants must be an object, not {}", kind(other)),
            ));
            Grants::default()
        }
    };
    (grants, findings.into_list())
}

fn read_grants(map: &Map<String, Value>, path: &str, findings: &mut Findings) -> Grants {
    let object = Object::new(map, path);
    for key in map.keys().filter(|key| !GRANT_KEYS.contains(&key.as_str())) {
        let diagnostic = Diagnostic::error(object.at(key), format!("there is no grant {key:?}: nothing is given"));
        let nearest = if findings.is_full() {
            None
        } else {
            nearest(key, GRANT_KEYS.iter().copied())
        };
        findings.add(match nearest {
            Some(meant) => diagnostic.hint(format!("did you mean {meant:?}?")),
            None => diagnostic.hint(format!("grants: {}", GRANT_KEYS.join(", "))),
        });
    }
    Grants {
        read: patterns(&object, "read", findings),
        stat: patterns(&object, "stat", findings),
        env: names(&object, "env", "a variable's name", findings, |name| {
            !name.is_empty() && !name.contains(['=', '*', '\0'])
        }),
        http: names(
            &object,
            "http",
            "a host, as in example.com, *.example.com:8443 or 127.0.0.1:8080 (other letters than ASCII as xn--…)",
            findings,
            |host| HostGrant::parse(host).is_ok(),
        ),
        state: object.boolean("state", findings).ok().unwrap_or(false),
        clock: object.boolean("clock", findings).ok().unwrap_or(false),
        random: object.boolean("random", findings).ok().unwrap_or(false),
    }
}

/// Path patterns. They start at a known place, so that a grant means the same wherever the agent was started.
fn patterns(object: &Object<'_>, key: &str, findings: &mut Findings) -> Vec<String> {
    names(
        object,
        key,
        "an absolute path, or one that starts with ${project} or ${home}",
        findings,
        |pattern| {
            let rest = ["${project}", "${home}"]
                .iter()
                .find_map(|start| pattern.strip_prefix(start));
            let anchored = match rest {
                Some(rest) => rest.is_empty() || rest.starts_with('/'),
                None => pattern.starts_with('/') || is_drive(pattern),
            };
            anchored && !rest.unwrap_or(pattern).contains("${") && !pattern.split(['/', '\\']).any(|part| part == "..")
        },
    )
}

fn is_drive(pattern: &str) -> bool {
    matches!(pattern.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic())
}

/// The strings of a list that are right; each that is not is reported and left out.
fn names(
    object: &Object<'_>,
    key: &str,
    expected: &str,
    findings: &mut Findings,
    right: impl Fn(&str) -> bool,
) -> Vec<String> {
    let Field::Ok(list) = object.strings(key, findings) else {
        return Vec::new();
    };
    let mut kept = Vec::new();
    for (index, name) in list.into_iter().enumerate() {
        if right(&name) {
            kept.push(name);
        } else {
            let at = format!("{}[{index}]", object.at(key));
            findings.add(Diagnostic::error(
                at,
                format!("{name:?} is not {expected}: it is not granted"),
            ));
        }
    }
    kept
}

fn read_limits(map: &Map<String, Value>, path: &str, findings: &mut Findings) -> Limits {
    let object = Object::new(map, path);
    object.unknown("limits", LIMIT_KEYS, NOTES, findings);
    Limits {
        fuel: count(&object, "fuel", findings),
        memory: size(&object, "memory", findings),
        timeout: object.seconds("timeout", findings).ok(),
        table_elements: count(&object, "tableElements", findings),
        stack: size(&object, "stack", findings),
        answer: size(&object, "answer", findings),
        prepare_time: object.seconds("prepareTime", findings).ok(),
    }
}

/// A whole number above 0.
fn count(object: &Object<'_>, key: &str, findings: &mut Findings) -> Option<u64> {
    let value = object.map.get(key)?;
    let read = value.as_u64().filter(|count| *count > 0);
    if read.is_none() {
        findings.add(
            Diagnostic::error(
                object.at(key),
                format!("{key} must be a whole number above 0, not {value}"),
            )
            .hint("the default limit is kept"),
        );
    }
    read
}

/// Bytes: a whole number, or one with `KiB`, `MiB`, `GiB` (or `KB`, `MB`, `GB`).
fn size(object: &Object<'_>, key: &str, findings: &mut Findings) -> Option<u64> {
    let value = object.map.get(key)?;
    let read = value
        .as_u64()
        .or_else(|| bytes(value.as_str()?))
        .filter(|size| *size > 0);
    if read.is_none() {
        findings.add(
            Diagnostic::error(
                object.at(key),
                format!("{key} must be a size, as in \"32MiB\", not {value}"),
            )
            .hint("the default limit is kept"),
        );
    }
    read
}

fn bytes(text: &str) -> Option<u64> {
    const UNITS: &[(&str, u64)] = &[
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("KB", 1_000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("B", 1),
        ("", 1),
    ];
    let text = text.trim();
    let (number, unit) = UNITS
        .iter()
        .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)))?;
    number.trim().parse::<u64>().ok()?.checked_mul(*unit)
}

pub(super) fn read_signers(value: &Value, path: &str, findings: &mut Findings) -> BTreeMap<String, Signer> {
    let Value::Object(map) = value else {
        findings.add(Diagnostic::error(
            path,
            format!("signers must be an object of name and key, not {}", kind(value)),
        ));
        return BTreeMap::new();
    };
    let mut signers = BTreeMap::new();
    for (name, entry) in map {
        let at = join(path, name);
        let key = |key: &str| {
            entry
                .get(key)
                .and_then(Value::as_str)
                .map(str::trim)
                .filter(|text| !text.is_empty())
        };
        match SIGNER_KEYS.map(key) {
            [Some(text), None] => drop(signers.insert(name.clone(), Signer::Minisign(text.to_owned()))),
            [None, Some(text)] => drop(signers.insert(name.clone(), Signer::Cosign(text.to_owned()))),
            _ => findings.add(
                Diagnostic::error(at, "a signer has one key: what it signed is refused")
                    .hint("write { \"minisign\": \"RWQ…\" } or { \"cosign\": \"-----BEGIN PUBLIC KEY-----…\" }"),
            ),
        }
    }
    signers
}

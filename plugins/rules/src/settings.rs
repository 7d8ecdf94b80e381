//! Rules from `settings`: every mistake is an error that names the rule and says how to mend it.

use crate::conditions::Conditions;
use crate::pattern::{Flags, PathPattern, Text, Word, Words};
use crate::subject::Kind;
use serde_json::{Map, Value};

/// What a rule says when it fires. The order is the precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    Allow,
    Ask,
    Deny,
}

/// One rule, compiled.
#[derive(Clone, Debug)]
pub struct Rule {
    pub(crate) id: String,
    pub(crate) effect: Effect,
    pub(crate) reason: Option<String>,
    pub(crate) severity: Severity,
    /// From this day on (days since 1970-01-01, UTC) the rule no longer applies.
    pub(crate) expires: Option<u64>,
    pub(crate) conditions: Conditions,
    /// The rule does not fire for what one of these holds for.
    pub(crate) unless: Vec<Conditions>,
}

/// How much it matters, for the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Severity {
    Low,
    #[default]
    Medium,
    High,
    Critical,
}

impl Severity {
    const NAMES: [(&'static str, Severity); 4] = [
        ("low", Severity::Low),
        ("medium", Severity::Medium),
        ("high", Severity::High),
        ("critical", Severity::Critical),
    ];

    pub(crate) fn name(self) -> &'static str {
        Self::NAMES
            .iter()
            .find(|(_, severity)| *severity == self)
            .map_or("", |(name, _)| name)
    }
}

const EFFECTS: [(&str, Effect); 3] = [("deny", Effect::Deny), ("ask", Effect::Ask), ("allow", Effect::Allow)];

/// The keys of a rule that are no conditions.
const RULE_KEYS: [&str; 8] = [
    "id",
    "decision",
    "reason",
    "severity",
    "expires",
    "unless",
    "examples",
    "description",
];

/// The keys of conditions.
const CONDITION_KEYS: [&str; 18] = [
    "agent", "event", "tool", "action", "program", "command", "args", "flags", "via", "path", "host", "text",
    "content", "prompt", "output", "branch", "cwd", "fields",
];

/// Every rule of `settings`.
///
/// # Errors
/// What is wrong, in which rule, and how to mend it.
pub(crate) fn parse(settings: &Value) -> Result<Vec<Rule>, String> {
    let Some(settings) = settings.as_object() else {
        return Err("settings: an object is expected: {\"rules\": […]}".into());
    };
    if let Some(key) = settings.keys().find(|key| *key != "rules") {
        return Err(format!("settings: unknown key `{key}`; only `rules` is known"));
    }
    let rules = match settings.get("rules") {
        None => return Ok(Vec::new()),
        Some(Value::Array(rules)) => rules,
        Some(_) => return Err("settings.rules: a list of rules is expected".into()),
    };
    let mut parsed: Vec<Rule> = Vec::with_capacity(rules.len());
    let mut ids = std::collections::HashSet::new();
    for (index, value) in rules.iter().enumerate() {
        let id = value.get("id").and_then(Value::as_str).unwrap_or_default();
        let at = |error: String| match id {
            "" => format!("settings.rules[{index}]: {error}"),
            id => format!("settings.rules[{index}] (`{id}`): {error}"),
        };
        let rule = rule(value).map_err(at)?;
        if !ids.insert(rule.id.clone()) {
            return Err(at(
                "an earlier rule has the same id: ids tell in the audit which rule decided".into(),
            ));
        }
        parsed.push(rule);
    }
    Ok(parsed)
}

fn rule(value: &Value) -> Result<Rule, String> {
    let Some(keys) = value.as_object() else {
        return Err("a rule is an object".into());
    };
    check_keys(keys, &[&RULE_KEYS[..], &CONDITION_KEYS[..]])?;
    let id = text(keys, "id")?
        .filter(|id| !id.is_empty())
        .ok_or("`id` is missing: a short name such as \"no-prod-apply\"")?;
    let effect = choice(keys, "decision", &EFFECTS)?.ok_or("`decision` is missing: \"deny\", \"ask\" or \"allow\"")?;
    let expires = text(keys, "expires")?.map(|date| day(&date)).transpose()?;
    let unless = match keys.get("unless") {
        None => Vec::new(),
        Some(Value::Array(all)) => all.iter().map(exception).collect::<Result<_, _>>()?,
        Some(one) => vec![exception(one)?],
    };
    if !CONDITION_KEYS.iter().any(|key| keys.contains_key(*key)) {
        return Err(
            "it has no condition, so it would hold for everything; if that is meant, write \"event\": \"*\"".into(),
        );
    }
    check_examples(keys)?;
    Ok(Rule {
        id,
        effect,
        reason: text(keys, "reason")?,
        severity: choice(keys, "severity", &Severity::NAMES)?.unwrap_or_default(),
        expires,
        conditions: conditions(keys)?,
        unless,
    })
}

fn exception(value: &Value) -> Result<Conditions, String> {
    let Some(keys) = value.as_object() else {
        return Err("`unless`: an object with conditions, or a list of them".into());
    };
    check_keys(keys, &[&CONDITION_KEYS[..]]).map_err(|error| format!("unless: {error}"))?;
    if keys.is_empty() {
        return Err("unless: it has no condition, so the rule would never fire".into());
    }
    conditions(keys).map_err(|error| format!("unless: {error}"))
}

fn conditions(keys: &Map<String, Value>) -> Result<Conditions, String> {
    Ok(Conditions {
        agent: many(keys, "agent", Word::parse)?,
        event: many(keys, "event", Word::parse)?,
        tool: many(keys, "tool", Word::parse)?,
        action: many(keys, "action", |name| find(name, &Kind::NAMES).map(|kind| vec![kind]))?,
        program: many(keys, "program", Word::parse)?,
        command: many(keys, "command", |text| Words::parse(text).map(|one| vec![one]))?,
        args: many(keys, "args", |text| Words::parse(text).map(|one| vec![one]))?,
        flags: many(keys, "flags", |text| Flags::parse(text).map(|one| vec![one]))?,
        via: many(keys, "via", Word::parse)?,
        path: many(keys, "path", PathPattern::parse)?,
        host: many(keys, "host", Word::parse)?,
        text: many(keys, "text", |text| Text::parse(text).map(|one| vec![one]))?,
        content: many(keys, "content", |text| Text::parse(text).map(|one| vec![one]))?,
        prompt: many(keys, "prompt", |text| Text::parse(text).map(|one| vec![one]))?,
        output: many(keys, "output", |text| Text::parse(text).map(|one| vec![one]))?,
        branch: many(keys, "branch", Word::parse)?,
        cwd: many(keys, "cwd", PathPattern::parse)?,
        fields: fields(keys)?,
    })
}

/// The patterns of one key: a string or a list of strings.
fn many<T>(
    keys: &Map<String, Value>,
    key: &str,
    parse: impl Fn(&str) -> Result<Vec<T>, String>,
) -> Result<Vec<T>, String> {
    let at = |error: String| format!("`{key}`: {error}");
    let items = match keys.get(key) {
        None => return Ok(Vec::new()),
        Some(Value::Array(items)) if items.is_empty() => {
            return Err(at("an empty list never holds: leave the key out".into()));
        }
        Some(Value::Array(items)) => items.as_slice(),
        Some(one) => std::slice::from_ref(one),
    };
    let mut patterns = Vec::with_capacity(items.len());
    for item in items {
        match item.as_str() {
            Some(text) if !text.trim().is_empty() => patterns.extend(parse(text).map_err(at)?),
            Some(_) => return Err(at("an empty pattern: leave the key out to ask nothing".into())),
            None => return Err(at("a string or a list of strings is expected".into())),
        }
    }
    Ok(patterns)
}

fn fields(keys: &Map<String, Value>) -> Result<Vec<(String, Vec<Word>)>, String> {
    let Some(value) = keys.get("fields") else {
        return Ok(Vec::new());
    };
    let Some(fields) = value.as_object().filter(|fields| !fields.is_empty()) else {
        return Err("`fields`: an object is expected: {\"/tool_input/model\": \"opus*\"}".into());
    };
    let one = |pointer: &String| {
        if !pointer.starts_with('/') {
            return Err(format!(
                "`fields`: `{pointer}` is not a JSON Pointer: it starts with `/`, as in \"/tool_input/model\""
            ));
        }
        Ok((
            pointer.clone(),
            many(fields, pointer, Word::parse).map_err(|error| format!("`fields`: {error}"))?,
        ))
    };
    fields.keys().map(one).collect()
}

fn text(keys: &Map<String, Value>, key: &str) -> Result<Option<String>, String> {
    match keys.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("`{key}`: a string is expected")),
    }
}

fn choice<T: Copy>(keys: &Map<String, Value>, key: &str, names: &[(&str, T)]) -> Result<Option<T>, String> {
    text(keys, key)?
        .map(|name| find(&name, names).map_err(|error| format!("`{key}`: {error}")))
        .transpose()
}

fn find<T: Copy>(name: &str, names: &[(&str, T)]) -> Result<T, String> {
    names
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, value)| *value)
        .ok_or_else(|| {
            let known: Vec<&str> = names.iter().map(|(known, _)| *known).collect();
            format!("`{name}` is not one of {}", known.join(", "))
        })
}

fn check_keys(keys: &Map<String, Value>, known: &[&[&str]]) -> Result<(), String> {
    for key in keys.keys() {
        if known.iter().any(|known| known.contains(&key.as_str())) {
            continue;
        }
        let near = known.iter().copied().flatten().min_by_key(|known| distance(key, known));
        return Err(match near.filter(|near| distance(key, near) <= 2) {
            Some(near) => format!("unknown key `{key}`; did you mean `{near}`?"),
            None => {
                let all: Vec<&str> = known.iter().copied().flatten().copied().collect();
                format!("unknown key `{key}`; known are {}", all.join(", "))
            }
        });
    }
    Ok(())
}

/// How many letters must change to make `a` of `b` (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let next = (diagonal + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], next);
        }
    }
    row[b.len()]
}

/// `examples` is read by `hookbox test`; here only its shape is checked.
fn check_examples(keys: &Map<String, Value>) -> Result<(), String> {
    let wrong = || "`examples`: {\"match\": […], \"pass\": […]} is expected, each a command or an event".to_string();
    let Some(value) = keys.get("examples") else {
        return Ok(());
    };
    let examples = value.as_object().ok_or_else(wrong)?;
    check_keys(examples, &[&["match", "pass"]]).map_err(|error| format!("`examples`: {error}"))?;
    let fine = |list: &Value| {
        list.as_array()
            .is_some_and(|list| list.iter().all(|one| one.is_string() || one.is_object()))
    };
    if examples.values().all(fine) {
        Ok(())
    } else {
        Err(wrong())
    }
}

/// The day of a date `YYYY-MM-DD`, counted from 1970-01-01.
fn day(date: &str) -> Result<u64, String> {
    let wrong =
        || format!("`expires`: `{date}` is not a date: YYYY-MM-DD, the first day on which the rule no longer applies");
    let parts: Vec<&str> = date.split('-').collect();
    let [year, month, day] = parts[..] else {
        return Err(wrong());
    };
    let number = |text: &str, length: usize| {
        (text.len() == length && text.bytes().all(|b| b.is_ascii_digit()))
            .then(|| text.parse::<u64>().ok())
            .flatten()
    };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2)) else {
        return Err(wrong());
    };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let fits = year >= 1970 && (1..=12).contains(&month) && day >= 1 && day <= lengths[(month - 1) as usize];
    if !fits {
        return Err(wrong());
    }
    let leaps = |year: u64| year / 4 - year / 100 + year / 400;
    let before_year = (year - 1970) * 365 + leaps(year - 1) - leaps(1969);
    Ok(before_year + lengths[..(month - 1) as usize].iter().sum::<u64>() + day - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn error(rule: Value) -> String {
        parse(&json!({ "rules": [rule] })).unwrap_err()
    }

    #[test]
    fn a_mistake_is_told_with_the_rule_and_the_remedy() {
        let rows = [
            (
                json!({"id": "a", "decision": "deny", "progam": "rm"}),
                "(`a`): unknown key `progam`; did you mean `program`?",
            ),
            (
                json!({"decision": "deny", "program": "rm"}),
                "settings.rules[0]: `id` is missing",
            ),
            (json!({"id": "a", "program": "rm"}), "`decision` is missing"),
            (
                json!({"id": "a", "decision": "block", "program": "rm"}),
                "`block` is not one of deny, ask, allow",
            ),
            (json!({"id": "a", "decision": "deny"}), "no condition"),
            (json!({"id": "a", "decision": "deny", "program": []}), "never holds"),
            (
                json!({"id": "a", "decision": "deny", "program": ""}),
                "an empty pattern",
            ),
            (
                json!({"id": "a", "decision": "deny", "program": 1}),
                "a string or a list",
            ),
            (json!({"id": "a", "decision": "deny", "path": "a[b"}), "`[` without `]`"),
            (
                json!({"id": "a", "decision": "deny", "path": "${hom}/x"}),
                "`${hom}` is unknown",
            ),
            (
                json!({"id": "a", "decision": "deny", "text": "regex:("}),
                "is not a regular expression",
            ),
            (
                json!({"id": "a", "decision": "deny", "flags": "force"}),
                "is not a flag",
            ),
            (
                json!({"id": "a", "decision": "deny", "command": "git ... push"}),
                "can only be the last word",
            ),
            (
                json!({"id": "a", "decision": "deny", "action": "runs"}),
                "`runs` is not one of run, read",
            ),
            (
                json!({"id": "a", "decision": "deny", "fields": {"x": "y"}}),
                "is not a JSON Pointer",
            ),
            (
                json!({"id": "a", "decision": "deny", "program": "rm", "unless": {}}),
                "would never fire",
            ),
            (
                json!({"id": "a", "decision": "deny", "program": "rm", "unless": {"reason": "x"}}),
                "unless: unknown key",
            ),
            (
                json!({"id": "a", "decision": "deny", "program": "rm", "expires": "2026-02-30"}),
                "is not a date",
            ),
            (
                json!({"id": "a", "decision": "deny", "program": "rm", "severity": "huge"}),
                "is not one of low",
            ),
            (
                json!({"id": "a", "decision": "deny", "program": "rm", "examples": ["rm"]}),
                "`examples`",
            ),
        ];
        for (rule, expected) in rows {
            let error = error(rule.clone());
            assert!(error.contains(expected), "{rule}: {error}");
        }
    }

    #[test]
    fn two_rules_of_one_id_are_an_error() {
        let rule = json!({"id": "a", "decision": "deny", "program": "rm"});
        assert!(
            parse(&json!({ "rules": [rule, rule] }))
                .unwrap_err()
                .contains("rules[1] (`a`): an earlier rule")
        );
        assert!(
            parse(&json!({ "rule": [] }))
                .unwrap_err()
                .contains("unknown key `rule`")
        );
        assert!(parse(&json!([])).is_err());
        assert!(parse(&json!({})).unwrap().is_empty());
    }

    #[test]
    fn the_schema_knows_the_same_keys() {
        let schema: Value = serde_json::from_str(include_str!("../rules.schema.json")).unwrap();
        let manifest: Value = serde_json::from_str(include_str!("../plugin.json")).unwrap();
        assert_eq!(manifest["settings"], schema);
        let keys = |pointer: &str| {
            let mut keys: Vec<String> = schema
                .pointer(pointer)
                .unwrap()
                .as_object()
                .unwrap()
                .keys()
                .cloned()
                .collect();
            keys.sort();
            keys
        };
        let sorted = |lists: &[&[&str]]| {
            let mut keys: Vec<String> = lists
                .iter()
                .flat_map(|list| list.iter())
                .map(|key| key.to_string())
                .collect();
            keys.sort();
            keys
        };
        assert_eq!(keys("/$defs/rule/properties"), sorted(&[&RULE_KEYS, &CONDITION_KEYS]));
        assert_eq!(keys("/$defs/conditions/properties"), sorted(&[&CONDITION_KEYS]));
    }

    #[test]
    fn dates_are_counted_in_days() {
        assert_eq!(day("1970-01-01"), Ok(0));
        assert_eq!(day("2000-03-01"), Ok(11017));
        assert_eq!(day("2026-11-30"), Ok(20787));
        assert!(day("2026-13-01").is_err() && day("26-01-01").is_err() && day("2026-1-1").is_err());
    }
}

//! What policies say, as an answer: the rules that decide by their names, and the values that they may have.

use hookbox_sdk::{Decision, Output};
use regorus::Value;
use serde_json::Value as Json;

/// What a rule of a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    /// Deny, and end the agent's turn.
    Halt,
    Deny,
    Ask,
    Allow,
    /// Text for the model.
    Context,
    /// Text for the user.
    Warn,
    /// Another input for the tool.
    Modify,
}

/// The names of rules that decide: hookbox's own (deny, ask, allow, context), those of Cupcake (halt, block,
/// allow_override, add_context, modify), of Gatekeeper (violation) and of Conftest (warn).
pub(crate) const VERBS: [(&str, Verb); 11] = [
    ("halt", Verb::Halt),
    ("deny", Verb::Deny),
    ("block", Verb::Deny),
    ("violation", Verb::Deny),
    ("ask", Verb::Ask),
    ("allow", Verb::Allow),
    ("allow_override", Verb::Allow),
    ("context", Verb::Context),
    ("add_context", Verb::Context),
    ("warn", Verb::Warn),
    ("modify", Verb::Modify),
];

/// A rule that is asked for each event.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// `data.PACKAGE.VERB`
    pub(crate) path: String,
    pub(crate) package: String,
    pub(crate) verb: &'static str,
}

impl Asked {
    fn meaning(&self) -> Verb {
        VERBS
            .iter()
            .find(|(name, _)| *name == self.verb)
            .map_or(Verb::Deny, |(_, verb)| *verb)
    }
}

/// One thing that a policy said.
#[derive(Clone, Debug)]
struct Said {
    verb: Verb,
    rule: String,
    text: Option<String>,
    /// Of `modify`: the input, and how much it matters beside others.
    input: Option<(f64, Json)>,
}

/// Everything that the policies said about an event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    said: Vec<Said>,
}

impl Found {
    /// The value of one rule.
    ///
    /// # Errors
    /// When it is none that the rule can have: what cannot be understood must not pass for silence.
    pub(crate) fn take(&mut self, rule: &Asked, value: &Value) -> Result<(), String> {
        if *value == Value::Undefined {
            return Ok(());
        }
        let text = value.to_json_str().map_err(|error| format!("{}: {error}", rule.path))?;
        let value: Json = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", rule.path))?;
        match (rule.meaning(), value) {
            (_, Json::Null) => {}
            // `default allow := false` is how OPA says no.
            (Verb::Allow, Json::Bool(false)) => {
                self.said.push(Said {
                    verb: Verb::Deny,
                    rule: name(rule),
                    text: None,
                    input: None,
                });
            }
            (_, Json::Bool(false)) => {}
            (verb, Json::Bool(true)) if !matches!(verb, Verb::Context | Verb::Modify) => {
                self.said.push(Said {
                    verb,
                    rule: name(rule),
                    text: None,
                    input: None,
                });
            }
            // A set or list of entries; an object whose values are entries (`deny[id] := entry`); or one entry.
            (_, Json::Array(entries)) => entries.into_iter().try_for_each(|entry| self.entry(rule, entry))?,
            (_, Json::Object(entries)) if !entries.is_empty() && entries.values().all(Json::is_object) => {
                entries.into_iter().try_for_each(|(_, entry)| self.entry(rule, entry))?;
            }
            (_, Json::Object(entries)) if entries.is_empty() => {}
            (_, one) => self.entry(rule, one)?,
        }
        Ok(())
    }

    fn entry(&mut self, rule: &Asked, entry: Json) -> Result<(), String> {
        let verb = rule.meaning();
        let said = match &entry {
            Json::String(text) if verb != Verb::Modify => Said {
                verb,
                rule: name(rule),
                text: Some(text.clone()),
                input: None,
            },
            Json::Object(fields) => {
                let first = |keys: &[&str]| {
                    keys.iter()
                        .find_map(|key| fields.get(*key))
                        .filter(|value| !value.is_null())
                };
                let text = first(match verb {
                    Verb::Context => &["context", "reason", "message", "msg"],
                    _ => &["reason", "msg", "message"],
                });
                let question = first(&["question"]).filter(|_| verb == Verb::Ask);
                let parts: Vec<String> = text.into_iter().chain(question).map(plain).collect();
                let input = match (verb, fields.get("updated_input")) {
                    (Verb::Modify, Some(input @ Json::Object(_))) => Some((
                        fields.get("priority").and_then(Json::as_f64).unwrap_or(0.0),
                        input.clone(),
                    )),
                    (Verb::Modify, _) => return Err(format!("{}: an entry has no `updated_input` object", rule.path)),
                    _ => None,
                };
                Said {
                    verb,
                    rule: first(&["rule_id", "rule", "id", "code"]).map_or_else(|| name(rule), plain),
                    text: (!parts.is_empty()).then(|| parts.join("\n")),
                    input,
                }
            }
            other => {
                return Err(format!(
                    "{}: {other} is neither a text nor an object with a `reason`",
                    rule.path
                ));
            }
        };
        self.said.push(said);
        Ok(())
    }

    /// The answer: the strictest decision, with the reasons of all that made it.
    pub(crate) fn output(self) -> Output {
        let by = |verbs: &[Verb]| {
            self.said
                .iter()
                .filter(|said| verbs.contains(&said.verb))
                .collect::<Vec<_>>()
        };
        let texts = |said: &[&Said]| {
            let mut texts: Vec<&str> = said.iter().filter_map(|said| said.text.as_deref()).collect();
            texts.dedup();
            (!texts.is_empty()).then(|| texts.join("\n\n"))
        };
        let (deny, ask, allow) = (by(&[Verb::Halt, Verb::Deny]), by(&[Verb::Ask]), by(&[Verb::Allow]));
        let (decision, said, default) = match () {
            () if !deny.is_empty() => (Some(Decision::Deny), deny, "a policy of your organisation denies this"),
            () if !ask.is_empty() => (
                Some(Decision::Ask),
                ask,
                "a policy of your organisation asks the user first",
            ),
            () if !allow.is_empty() => (
                Some(Decision::Allow),
                allow,
                "a policy of your organisation allows this",
            ),
            () => (None, Vec::new(), ""),
        };
        let halts = by(&[Verb::Halt]);
        let stop = (!halts.is_empty()).then(|| texts(&halts).unwrap_or_else(|| default.into()));
        let modify = by(&[Verb::Modify]);
        // Of equal priority the first stands.
        let input = modify
            .iter()
            .filter_map(|said| said.input.as_ref())
            .reduce(|best, next| if next.0 > best.0 { next } else { best });
        Output {
            decision,
            rule: said.first().map(|said| said.rule.clone()),
            reason: decision.map(|_| texts(&said).unwrap_or_else(|| default.into())),
            updated_input: input
                .filter(|_| decision != Some(Decision::Deny))
                .map(|(_, input)| input.to_string()),
            additional_context: texts(&by(&[Verb::Context])),
            system_message: texts(&by(&[Verb::Warn])),
            stop,
            ..Output::none()
        }
    }
}

/// The rule's name where the policy gives none: its package's last part.
fn name(rule: &Asked) -> String {
    rule.package.rsplit('.').next().unwrap_or(&rule.package).to_string()
}

fn plain(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

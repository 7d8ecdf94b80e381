//! Cases collected from reports and tables: a configuration, an event, what the handlers print, and what must come of it.

use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use super::{Report, ask, files, policy, texts, value};

/// Kinds that need a running program: the tests of the engine, the sandbox and the pack have them.
const ELSEWHERE: [&str; 7] = [
    "runner",
    "sandbox",
    "audit",
    "command-policy",
    "path-policy",
    "egress-policy",
    "prompt-policy",
];

/// `program` is who is asked about policies.
pub(super) fn cases(folder: &Path, program: Option<&Path>, report: &mut Report) -> Result<()> {
    let home = std::env::temp_dir().join(format!("hookbox-conformance-{}", std::process::id()));
    for path in files(&folder.join("cases"), "case-")? {
        let case = Case(value(&path)?);
        let kind = case.text("kind").to_owned();
        let (answer, problems) = match kind.as_str() {
            "matcher" | "if" => case.selects(),
            "codec" | "merge" | "stop" => case.answers(),
            "config" => case.parses(),
            other if other.ends_with("-policy") && program.is_some() => {
                std::fs::create_dir_all(&home)?;
                if let Some(program) = program {
                    policy::rows(program, &home, &case.0, report)?;
                }
                continue;
            }
            other if ELSEWHERE.contains(&other) => {
                *report.elsewhere.entry(kind).or_default() += 1;
                continue;
            }
            _ => continue,
        };
        let Some(problems) = problems else {
            *report
                .elsewhere
                .entry(format!("{kind} (needs a running handler)"))
                .or_default() += 1;
            continue;
        };
        let named = format!(
            "{} {} [{}]",
            case.text("id"),
            case.text("title"),
            case.text("authority")
        );
        if matches!(case.text("authority"), "contested" | "spec-drift") {
            report.contested.push(format!("{named}: {}", told(&answer)));
        }
        report.mark(&kind, problems.is_empty(), || {
            format!("{named}: {}", problems.join("; "))
        });
    }
    // It is there only where a program was asked.
    let _ = std::fs::remove_dir_all(&home);
    Ok(())
}

struct Case(Value);

/// What hookbox answered and what is wrong with it; no list where the case cannot be answered without running something.
type Judged = (Value, Option<Vec<String>>);

impl Case {
    fn text(&self, key: &str) -> &str {
        self.0[key].as_str().unwrap_or_default()
    }

    fn expect(&self) -> &Value {
        &self.0["expect"]
    }

    fn dialect(&self) -> &str {
        self.0["dialect"].as_str().unwrap_or("claude-code")
    }

    fn dispatch(&self, config: &Value, handlers: &Value) -> Value {
        ask(json!({
            "op": "dispatch", "dialect": self.dialect(), "config": config, "event": self.0["event"], "handlers": handlers,
        }))
    }

    /// Whether the configuration's handlers are for the event.
    fn selects(&self) -> Judged {
        if !self.0["event"].is_object() || !self.0["config"].is_object() {
            return (Value::Null, None);
        }
        let silent = json!({ "stdout": "", "stderr": "", "exit": 0 });
        let answer = self.dispatch(&self.0["config"], &Value::Array(vec![silent; 50]));
        let mut problems = errors(&answer);
        let ran = answer["ran"].as_array().map_or(0, Vec::len);
        if let Some(fires) = self.expect()["fires"].as_bool()
            && fires != (ran > 0)
        {
            problems.push(format!("ran {}", answer["ran"]));
        }
        let commands = texts(&self.expect()["fires_commands"]);
        let steps = answer["steps"].as_array().map_or(&[][..], Vec::as_slice);
        let fired: Vec<&str> = steps.iter().filter_map(|step| step["handler"].as_str()).collect();
        if !commands.is_empty() && commands != fired {
            problems.push(format!("ran {fired:?}"));
        }
        if matches!(self.expect()["diagnostic"].as_str(), Some("required" | "lint")) && !is_said(&answer["diagnostics"])
        {
            problems.push("nothing is said about it".to_owned());
        }
        (answer, Some(problems))
    }

    /// What the handlers' answers come to.
    fn answers(&self) -> Judged {
        let given = match (&self.0["handlers"], &self.0["handler"]) {
            (Value::Array(handlers), _) => handlers.clone(),
            (_, handler) if handler.is_object() => vec![handler.clone()],
            _ => return (Value::Null, None),
        };
        let running = ["wasm", "never_starts", "stderr_base64"];
        if !self.0["event"].is_object()
            || given
                .iter()
                .any(|answer| running.iter().any(|key| answer.get(key).is_some()))
        {
            return (Value::Null, None);
        }
        let handlers: Vec<Value> = given.iter().map(|answer| self.printed(answer)).collect();
        let config = match &self.0["config"] {
            Value::Null => {
                let hooks: Vec<Value> = (0..handlers.len())
                    .map(|index| json!({ "type": "command", "command": format!("./h{index}.sh") }))
                    .collect();
                json!({ "hooks": { self.0["event"]["hook_event_name"].as_str().unwrap_or_default(): [{ "hooks": hooks }] } })
            }
            config => config.clone(),
        };
        let answer = self.dispatch(&config, &Value::Array(handlers));
        let problems = self.outcome_problems(&answer);
        (answer, Some(problems))
    }

    fn printed(&self, answer: &Value) -> Value {
        let mut printed = json!({ "stdout": answer["stdout"], "stderr": answer["stderr"], "exit": answer["exit"] });
        let repeat = &self
            .expect()
            .get("handler_transform")
            .unwrap_or(&self.0["handler_transform"])["repeat_stdout"];
        if let (Some(times), Some(text)) = (repeat.as_u64(), answer["stdout"].as_str()) {
            printed["stdout"] = Value::from(text.repeat(usize::try_from(times).unwrap_or(0)));
        }
        printed
    }

    fn outcome_problems(&self, answer: &Value) -> Vec<String> {
        let mut problems = errors(answer);
        let (expect, outcome) = (self.expect(), &answer["outcome"]);
        let decision = outcome["decision"].as_str().unwrap_or("none");
        let mut check = |right: bool, what: String| {
            if !right {
                problems.push(what);
            }
        };
        let allowed = texts(&expect["decision_any_of"]);
        check(
            allowed.is_empty() || allowed.contains(&decision),
            format!("decision {decision}"),
        );
        let reason = outcome["reason"].as_str().unwrap_or_default();
        check(
            reason.contains(expect["reason_contains"].as_str().unwrap_or_default()),
            format!("reason {reason:?}"),
        );
        for key in ["blocks", "blocks_stop"] {
            let wanted = expect[key].as_bool();
            check(
                wanted.is_none_or(|wanted| wanted == (decision == "deny")),
                format!("decision {decision}"),
            );
        }
        let contexts = texts(&outcome["additionalContext"]).concat();
        match expect.get("context_contains") {
            Some(Value::String(part)) => check(contexts.contains(part.as_str()), format!("context {contexts:?}")),
            Some(Value::Null) => check(contexts.is_empty(), format!("context {contexts:?}")),
            _ => {}
        }
        let units = contexts.encode_utf16().count() as u64;
        let most = expect["context_max_chars"].as_u64().unwrap_or(u64::MAX);
        check(units <= most, format!("{units} characters of context"));
        if let Some(messages) = expect.get("user_messages") {
            check(
                messages == &outcome["systemMessages"],
                format!("messages {}", outcome["systemMessages"]),
            );
        }
        let stops = expect["stops_session"].as_bool();
        check(
            stops.is_none_or(|stops| outcome["stop"] == stops),
            format!("stop {}", outcome["stop"]),
        );
        let stop_reason = outcome["stopReason"].as_str().unwrap_or_default();
        let part = expect["stop_reason_contains"].as_str().unwrap_or_default();
        check(stop_reason.contains(part), format!("stopReason {stop_reason:?}"));
        if let Some(recorded) = expect["audit_must_record"].as_str() {
            let warnings = outcome["warnings"].to_string();
            check(warnings.contains(recorded), format!("warnings {warnings}"));
        }
        if expect["diagnostic"] == "required" {
            let said = said_of(answer);
            let part = expect["diagnostic_contains"].as_str().unwrap_or_default();
            check(
                !said.is_empty() && said.contains(part),
                format!("said about it: {said:?}"),
            );
        }
        problems
    }

    /// What the parser makes of a configuration.
    fn parses(&self) -> Judged {
        let text = match (&self.0["config_raw"], &self.0["config"]) {
            (Value::String(text), _) => text.clone(),
            (_, config) if !config.is_null() => config.to_string(),
            _ => return (Value::Null, None),
        };
        let answer = ask(json!({ "op": "parse", "config_text": text }));
        let mut problems = Vec::new();
        let config = answer["config"].to_string();
        for handler in texts(&self.expect()["loads_handlers"]) {
            if !config.contains(handler) {
                problems.push(format!("{handler} is not loaded"));
            }
        }
        let said = [answer["warnings"].to_string(), answer["error"].to_string()].concat();
        let silent = !is_said(&answer["warnings"]) && answer["error"].is_null();
        let part = self.expect()["diagnostic_contains"].as_str().unwrap_or_default();
        if self.expect()["diagnostic"] == "required" && (silent || !said.contains(part)) {
            problems.push(format!("said about it: {said}"));
        }
        (answer, Some(problems))
    }
}

fn errors(answer: &Value) -> Vec<String> {
    answer
        .get("error")
        .map(|error| format!("error {error}"))
        .into_iter()
        .collect()
}

fn is_said(list: &Value) -> bool {
    list.as_array().is_some_and(|list| !list.is_empty())
}

/// Everything that an answer tells the author of a handler or of a configuration.
fn said_of(answer: &Value) -> String {
    let steps = answer["steps"].as_array().map_or(&[][..], Vec::as_slice);
    let outputs = steps.iter().flat_map(|step| texts(&step["output"]["diagnostics"]));
    let said: Vec<&str> = texts(&answer["diagnostics"])
        .into_iter()
        .chain(texts(&answer["outcome"]["warnings"]))
        .chain(outputs)
        .collect();
    said.join("\n")
}

/// The answer in a few words.
fn told(answer: &Value) -> String {
    match (answer["outcome"]["decision"].as_str(), answer["ran"].as_array()) {
        (Some(decision), Some(ran)) if ran.is_empty() => format!("no handler ran, {decision}"),
        (Some(decision), Some(_)) => format!("its handlers ran, {decision}"),
        _ => "parsed".to_owned(),
    }
}

//! The file: TOML, or JSON of the same shape.

use crate::event;
use crate::expected::{Expected, WORDS};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Why a file is not run. A case that cannot be understood must not count as one that passed.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum CasesError {
    #[error("{0}")]
    Unreadable(String),
    #[error("there is no case in it\nhint: a case begins with `[[case]]`")]
    Empty,
    #[error("case {number}: {message}")]
    Case { number: usize, message: String },
}

/// The file's cases.
#[derive(Clone, Debug)]
pub struct Cases {
    /// The plugin that they are for, as a configuration would name its `source`.
    pub plugin: Option<String>,
    pub cases: Vec<Case>,
}

/// Events that follow each other, mostly one, each with what must come out.
#[derive(Clone, Debug)]
pub struct Case {
    /// Counted from 1.
    pub number: usize,
    /// The plugin's settings: those of the file with the case's own over them.
    pub settings: Map<String, Value>,
    /// Whether the case has settings of its own, which only a plugin can be given.
    pub own_settings: bool,
    /// Files that the host shows: path → content.
    pub files: BTreeMap<String, String>,
    /// Symlink → target.
    pub links: BTreeMap<String, String>,
    pub steps: Vec<Step>,
    /// Whether the case is a sequence: its steps have a time.
    pub sequence: bool,
}

/// One event of a case.
#[derive(Clone, Debug)]
pub struct Step {
    /// Seconds since the case began.
    pub at: f64,
    /// In Claude Code's spelling, with the fields that every event has.
    pub payload: Value,
    /// The command or event, for messages.
    pub shown: String,
    pub expected: Expected,
}

impl Step {
    /// A `PreToolUse` of Bash with this command.
    pub fn of_command(command: &str, expected: Expected) -> Self {
        Step {
            at: 0.0,
            payload: event::complete(&event::of_command(command), None),
            shown: command.into(),
            expected,
        }
    }

    /// An event in Claude Code's spelling.
    pub fn of_event(payload: &Value, expected: Expected) -> Self {
        Step {
            at: 0.0,
            payload: event::complete(payload, None),
            shown: payload.to_string(),
            expected,
        }
    }

    /// When it happens, in milliseconds since the epoch.
    pub fn now(&self) -> u64 {
        crate::BEGIN.saturating_add((self.at * 1000.0) as u64)
    }
}

impl Cases {
    /// Reads a file's text; one that begins with `{` is JSON.
    ///
    /// # Errors
    /// What cannot be understood: the file, or the first such case.
    pub fn parse(text: &str) -> Result<Cases, CasesError> {
        let file: File = read(text)?;
        if file.case.is_empty() {
            return Err(CasesError::Empty);
        }
        let case = |(index, row): (usize, Row)| {
            let number = index + 1;
            row.case(number, &file.settings)
                .map_err(|message| CasesError::Case { number, message })
        };
        let cases = file.case.into_iter().enumerate().map(case).collect::<Result<_, _>>()?;
        Ok(Cases {
            plugin: file.plugin,
            cases,
        })
    }
}

/// A file's text as a value, whatever it holds; one that begins with `{` is JSON.
///
/// # Errors
/// It is neither JSON nor TOML.
pub fn table(text: &str) -> Result<Value, CasesError> {
    read(text)
}

fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, CasesError> {
    let unreadable = |error: String| CasesError::Unreadable(error);
    if text.trim_start().starts_with('{') {
        serde_json::from_str(text).map_err(|error| unreadable(error.to_string()))
    } else {
        toml::from_str(text).map_err(|error| unreadable(error.to_string()))
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    plugin: Option<String>,
    /// What every case's own settings are laid over.
    #[serde(default)]
    settings: Map<String, Value>,
    #[serde(default)]
    case: Vec<Row>,
}

/// One `[[case]]`: a command (`PreToolUse` of Bash) or a whole event in Claude Code's spelling, and what must come out.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    command: Option<String>,
    event: Option<Value>,
    /// Events that follow each other, with the state that each leaves to the next. Instead of `command` or `event`.
    #[serde(default)]
    steps: Vec<StepRow>,
    /// `deny`, `ask`, `allow`, `defer` or `none`; of several, any is right. Absent only where there are `steps`.
    expect: Option<OneOrMany>,
    rule: Option<String>,
    context: Option<String>,
    stop: Option<bool>,
    /// The plugin's settings; `level` is short for `settings.level`.
    #[serde(default)]
    settings: Map<String, Value>,
    level: Option<String>,
    cwd: Option<String>,
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(default)]
    links: BTreeMap<String, String>,
    /// Why, for the reader.
    #[allow(dead_code, reason = "told to readers of the file")]
    why: Option<String>,
}

/// One event of a sequence; it expects no decision where it does not say one.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StepRow {
    #[serde(default)]
    at: f64,
    command: Option<String>,
    /// A whole event, or its name alone: a tool event is then Bash's.
    event: Option<Value>,
    expect: Option<OneOrMany>,
    rule: Option<String>,
    context: Option<String>,
    stop: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl Row {
    fn case(self, number: usize, common: &Map<String, Value>) -> Result<Case, String> {
        for path in self.files.keys().chain(self.links.keys()).chain(self.links.values()) {
            plain(path)?;
        }
        let own_settings = !self.settings.is_empty() || self.level.is_some();
        let mut settings = common.clone();
        settings.extend(self.settings);
        settings.extend(self.level.map(|level| ("level".into(), json!(level))));
        let sequence = !self.steps.is_empty();
        let cwd = self.cwd.as_deref();
        let steps = if sequence {
            if self.command.is_some() || self.event.is_some() {
                return Err("it has one of `command`, `event` and `steps`".into());
            }
            if self.expect.is_some() || self.rule.is_some() || self.context.is_some() || self.stop.is_some() {
                return Err("what a sequence expects stands in its `steps`".into());
            }
            self.steps
                .into_iter()
                .map(|step| step.step(cwd))
                .collect::<Result<_, _>>()?
        } else {
            let expect = self.expect.ok_or("`expect` is missing")?;
            let one = StepRow {
                at: 0.0,
                command: self.command,
                event: self.event,
                expect: Some(expect),
                rule: self.rule,
                context: self.context,
                stop: self.stop,
            };
            vec![one.step(cwd)?]
        };
        Ok(Case {
            number,
            settings,
            own_settings,
            files: self.files,
            links: self.links,
            steps,
            sequence,
        })
    }
}

impl StepRow {
    fn step(self, cwd: Option<&str>) -> Result<Step, String> {
        let decisions = match self.expect {
            None => vec!["none".into()],
            Some(OneOrMany::One(one)) => vec![one],
            Some(OneOrMany::Many(many)) if many.is_empty() => return Err("`expect` names no decision".into()),
            Some(OneOrMany::Many(many)) => many,
        };
        if let Some(unknown) = decisions.iter().find(|word| !WORDS.contains(&word.as_str())) {
            return Err(format!(
                "`expect` is {unknown:?}, which is none of {}",
                WORDS.join(", ")
            ));
        }
        if !self.at.is_finite() || self.at < 0.0 {
            return Err(format!(
                "`at` is {}: seconds since the case began are expected",
                self.at
            ));
        }
        let (payload, shown) = match (self.event, self.command) {
            (None, Some(command)) => (event::of_command(&command), command),
            (Some(Value::String(name)), None) => (event::of_name(&name), name),
            (Some(event), None) => {
                let shown = event.to_string();
                (event, shown)
            }
            _ => return Err("it has one of `command`, `event` and `steps`".into()),
        };
        if !payload.is_object() {
            return Err("`event` is an object, or the name of an event".into());
        }
        let payload = event::complete(&payload, cwd);
        Ok(Step {
            at: self.at,
            payload,
            shown,
            expected: Expected {
                decisions,
                rule: self.rule,
                context: self.context,
                stop: self.stop,
                fires: None,
            },
        })
    }
}

/// A path of the case's file system: absolute, without `.` and `..`.
fn plain(path: &str) -> Result<(), String> {
    let odd = |part: &str| matches!(part, "." | "..");
    if path.starts_with('/') && !path.split('/').any(odd) {
        return Ok(());
    }
    Err(format!("{path:?} is no absolute path without `.` and `..`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, HOME, PROJECT};
    use hookbox_protocol::{Action, Decision};

    fn one(text: &str) -> Result<Case, CasesError> {
        Cases::parse(text).map(|mut cases| cases.cases.remove(0))
    }

    fn fault(text: &str) -> String {
        Cases::parse(text).map_or_else(|error| error.to_string(), |_| "it is fine".into())
    }

    #[test]
    fn a_command_is_a_call_of_bash_in_the_project() {
        let case = one("[[case]]\ncommand = 'ls'\nexpect = 'none'").unwrap();
        let event = crate::event(&case.steps[0].payload).unwrap();
        assert_eq!((event.name.as_str(), event.cwd.as_str()), ("PreToolUse", PROJECT));
        assert!(PROJECT.starts_with(HOME));
        assert!(matches!(&event.tool.unwrap().actions[0], Action::Run(run) if run.text == "ls"));
    }

    #[test]
    fn a_name_alone_is_an_event_and_a_tool_event_is_bashs() {
        let case = one("[[case]]\nsteps = [{ event = 'PostToolUse' }, { event = 'Stop', at = 1.5 }]").unwrap();
        let events: Vec<_> = case
            .steps
            .iter()
            .map(|step| crate::event(&step.payload).unwrap())
            .collect();
        assert!(events[0].tool.is_some() && events[1].tool.is_none());
        assert_eq!(case.steps[1].now(), crate::BEGIN + 1500);
    }

    #[test]
    fn settings_of_a_case_are_laid_over_those_of_the_file() {
        let text = "[settings]\na = 1\nb = 2\n[[case]]\ncommand = 'ls'\nexpect = 'none'\nlevel = 'strict'\nsettings = { b = 3 }";
        let case = one(text).unwrap();
        assert_eq!(
            Value::Object(case.settings),
            json!({ "a": 1, "b": 3, "level": "strict" })
        );
        assert!(case.own_settings);
    }

    #[test]
    fn json_of_the_same_shape_is_read_too() {
        let case = one(r#"{"case": [{"command": "ls", "expect": ["none", "allow"]}]}"#).unwrap();
        assert_eq!(case.steps[0].expected.decisions, ["none", "allow"]);
    }

    #[test]
    fn a_case_that_cannot_be_understood_is_an_error_and_no_pass() {
        for (text, part) in [
            ("", "no case"),
            ("[[case]]\ncommand = 'ls'", "case 1: `expect` is missing"),
            ("[[case]]\nexpect = 'deny'", "one of `command`, `event` and `steps`"),
            ("[[case]]\ncommand = 'ls'\nevent = 'Stop'\nexpect = 'deny'", "one of"),
            ("[[case]]\ncommand = 'ls'\nexpect = 'block'", "\"block\""),
            ("[[case]]\ncommand = 'ls'\nexpect = []", "no decision"),
            ("[[case]]\ncommand = 'ls'\nexpcet = 'deny'", "expcet"),
            ("[[case]]\nevent = 5\nexpect = 'deny'", "an object"),
            ("[[case]]\nexpect = 'deny'\nsteps = [{ event = 'Stop' }]", "its `steps`"),
            ("[[case]]\nsteps = [{ event = 'Stop', at = -1.0 }]", "`at`"),
            (
                "[[case]]\ncommand = 'ls'\nexpect = 'none'\nfiles = { 'a/b' = '' }",
                "absolute",
            ),
            (
                "[[case]]\ncommand = 'ls'\nexpect = 'none'\nlinks = { '/a' = '/b/../c' }",
                "absolute",
            ),
        ] {
            assert!(fault(text).contains(part), "{text}: {}", fault(text));
        }
    }

    #[test]
    fn a_rule_may_be_expected_to_fire_whatever_else_happens() {
        let fired = ["r".to_owned()];
        let answer = Answer {
            fired: &fired,
            ..Answer::default()
        };
        for (rule, fires, fine) in [
            ("r", true, true),
            ("r", false, false),
            ("s", true, false),
            ("s", false, true),
        ] {
            assert_eq!(
                Expected::fires(rule, fires).difference(&answer).is_none(),
                fine,
                "{rule} {fires}"
            );
        }
    }

    #[test]
    fn the_first_difference_is_told() {
        let text = "[[case]]\ncommand = 'ls'\nexpect = ['deny', 'ask']\nrule = 'r'\ncontext = 'tide'\nstop = true";
        let expected = one(text).unwrap().steps.remove(0).expected;
        let rules = ["guard/r".to_owned()];
        let right = Answer {
            decision: Some(Decision::Deny),
            rules: &rules,
            reason: "why",
            context: "high tide",
            stop: true,
            fired: &[],
        };
        assert_eq!(expected.difference(&right), None);
        let none = Answer::default();
        for (answer, part) in [
            (none, "expected deny or ask, got none"),
            (Answer { rules: &[], ..right }, "expected rule \"r\""),
            (Answer { reason: "", ..right }, "without a reason"),
            (Answer { context: "", ..right }, "expected context with \"tide\""),
            (Answer { stop: false, ..right }, "expected stop true"),
        ] {
            assert!(
                expected.difference(&answer).is_some_and(|text| text.contains(part)),
                "{part}"
            );
        }
    }
}

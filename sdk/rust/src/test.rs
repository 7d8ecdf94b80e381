//! A host for native tests of a plugin's logic (feature `test`), and the runner of its cases.

mod cases;

pub use cases::{event, failures, run_cases};

use crate::{
    Action, Analysis, Basic, Clock, Command, ErrorCode, Event, Files, Http, Kind, Level, Metadata, Redirect, Request,
    Response, Scope, SimpleCommand, State, ToolCall, Word,
};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A host in memory: the event's payload, files as a map, state as a map, a clock that stands still.
#[derive(Debug, Default)]
pub struct TestHost {
    pub payload: Value,
    /// What writes would write, by number; without them those of the payload.
    pub contents: Vec<String>,
    /// Path → content.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Symlink → target (both absolute).
    pub links: BTreeMap<String, String>,
    pub state: RefCell<BTreeMap<String, Vec<u8>>>,
    /// Milliseconds since the epoch.
    pub now: u64,
    /// URL → answer; every other URL is not granted.
    pub responses: BTreeMap<String, Response>,
    /// Requests that were sent.
    pub requests: RefCell<Vec<Request>>,
    /// Lines that the plugin logged.
    pub lines: RefCell<Vec<String>>,
}

impl TestHost {
    /// A host whose payload is this event.
    pub fn new(payload: Value) -> Self {
        TestHost {
            payload,
            ..Default::default()
        }
    }
}

/// A `PreToolUse` of the tool `Bash` with this command, in `/home/user/demo`, home `/home/user`.
pub fn bash_event(command: &str) -> Event {
    let run = Action::Run(Command {
        text: command.into(),
        shell: "bash".into(),
    });
    tool_event("Bash", vec![run])
}

/// A `PreToolUse` of a tool that does `actions`, in `/home/user/demo`, home `/home/user`.
pub fn tool_event(tool: &str, actions: Vec<Action>) -> Event {
    Event {
        agent: "claude-code".into(),
        name: "PreToolUse".into(),
        session: "s-1".into(),
        cwd: "/home/user/demo".into(),
        project: "/home/user/demo".into(),
        home: "/home/user".into(),
        tool: Some(ToolCall {
            id: Some("toolu_1".into()),
            name: tool.into(),
            actions,
        }),
        prompt: None,
        plugin: String::new(),
    }
}

impl Basic for TestHost {
    fn log(&self, level: Level, message: &str) {
        self.lines.borrow_mut().push(format!("{level:?}: {message}"));
    }
    fn payload_text(&self, pointer: &str) -> Option<String> {
        self.payload.pointer(pointer).map(Value::to_string)
    }
    fn content_text(&self, number: u32) -> Option<String> {
        let number = usize::try_from(number).ok()?;
        self.contents
            .get(number)
            .cloned()
            .or_else(|| cases::content(&self.payload, number))
    }
    fn analyze(&self, command: &str, shell: &str) -> Rc<Analysis> {
        let analysis = hookbox_shell::analyze(command, shell);
        Rc::new(Analysis {
            commands: analysis.commands.into_iter().map(simple_command).collect(),
            complete: analysis.complete,
        })
    }
}

fn word(word: hookbox_shell::Word) -> Word {
    Word {
        text: word.text,
        known: word.known,
        glob: word.glob,
    }
}

fn simple_command(command: hookbox_shell::SimpleCommand) -> SimpleCommand {
    let redirect = |r: hookbox_shell::Redirect| Redirect {
        operator: r.operator,
        target: word(r.target),
    };
    SimpleCommand {
        argv: command.argv.into_iter().map(word).collect(),
        assignments: command
            .assignments
            .into_iter()
            .map(|(name, value)| (name, word(value)))
            .collect(),
        redirects: command.redirects.into_iter().map(redirect).collect(),
        via: command.via,
        cwd: command.cwd.map(word),
        pipeline: command.pipeline,
    }
}

impl Files for TestHost {
    fn resolve(&self, path: &str) -> Result<String, ErrorCode> {
        let link = self
            .links
            .iter()
            .find(|(from, _)| path == *from || path.starts_with(&format!("{from}/")));
        Ok(link.map_or(path.into(), |(from, to)| format!("{to}{}", &path[from.len()..])))
    }
    fn metadata_of(&self, path: &str) -> Result<Metadata, ErrorCode> {
        if let Some(target) = self.links.get(path) {
            return Ok(Metadata {
                kind: Kind::Symlink,
                size: 0,
                target: Some(target.clone()),
            });
        }
        let content = self.files.get(path).ok_or(ErrorCode::NotFound)?;
        Ok(Metadata {
            kind: Kind::File,
            size: content.len() as u64,
            target: None,
        })
    }
    fn read(&self, path: &str, max: u64) -> Result<Vec<u8>, ErrorCode> {
        let content = self.files.get(path).ok_or(ErrorCode::NotFound)?;
        if content.len() as u64 > max {
            Err(ErrorCode::TooLarge)
        } else {
            Ok(content.clone())
        }
    }
}

impl State for TestHost {
    fn get(&self, scope: Scope, key: &str) -> Option<Vec<u8>> {
        self.state.borrow().get(&format!("{scope:?}/{key}")).cloned()
    }
    fn set(&self, scope: Scope, key: &str, value: Option<&[u8]>) -> Result<(), String> {
        let key = format!("{scope:?}/{key}");
        match value {
            Some(value) => self.state.borrow_mut().insert(key, value.to_vec()),
            None => self.state.borrow_mut().remove(&key),
        };
        Ok(())
    }
    fn add(&self, scope: Scope, key: &str, delta: i64) -> Result<i64, String> {
        let old = self
            .get(scope, key)
            .and_then(|bytes| String::from_utf8(bytes).ok()?.parse::<i64>().ok());
        let new = old.unwrap_or(0) + delta;
        self.set(scope, key, Some(new.to_string().as_bytes()))?;
        Ok(new)
    }
}

impl Http for TestHost {
    fn send(&self, request: &Request) -> Result<Response, String> {
        let answer = self.responses.get(&request.url).ok_or("not granted")?;
        self.requests.borrow_mut().push(request.clone());
        Ok(answer.clone())
    }
}

impl Clock for TestHost {
    fn now(&self) -> u64 {
        self.now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_host_answers_the_urls_that_it_was_given() {
        let response = Response {
            status: 200,
            headers: Vec::new(),
            body: b"fine".to_vec(),
        };
        let host = TestHost {
            responses: [("https://policy.example/".to_string(), response)].into(),
            ..TestHost::default()
        };
        let send = |url: &str| {
            host.send(&Request {
                method: "GET".into(),
                url: url.into(),
                headers: Vec::new(),
                body: Vec::new(),
            })
        };
        assert_eq!(
            send("https://policy.example/").map(|answer| answer.body),
            Ok(b"fine".to_vec())
        );
        assert!(send("https://other.example/").is_err());
        assert_eq!(host.requests.borrow().len(), 1);
    }
}

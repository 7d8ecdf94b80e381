//! The life of an event: decode, select, run, merge, judge rewrites again, encode, keep the audit.

use crate::answer;
use crate::audit::Audit;
use crate::fault::{self, HostFault};
use crate::handler::{Shared, Told};
use crate::large;
use crate::load;
use crate::options::Options;
use crate::plugin::Store;
use crate::rewrite;
use crate::seen::Seen;
use hookbox_protocol::config::{Diagnostic, Layers, Selection, select};
use hookbox_protocol::dialects::{self, Response, Surroundings};
use hookbox_protocol::{Dialect, Event, Outcome, merge};
use hookbox_sandbox::{EventContext, Instances, Mode, Sandbox};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

/// Bytes of one event. A hundred times what agents send; as parsed JSON it can take thirty times as much memory.
pub const EVENT_BYTES: usize = 16 << 20;

/// Projects whose configuration is kept; one that comes back after so many others is read anew.
const PROJECTS: usize = 64;

/// A configuration that answers events.
pub struct Engine {
    options: Options,
    audit: Audit,
    store: Store,
    sandbox: LazyLock<Result<Sandbox, String>>,
    /// By project: a resident host answers events of many.
    layers: Mutex<Vec<Known>>,
    resident: bool,
}

/// A project's layers.
struct Known {
    project: PathBuf,
    /// As their files were when they were read; none where nobody looks again.
    files: Option<Seen>,
    layers: Arc<Layers>,
}

/// What became of one event.
#[derive(Debug)]
pub struct Verdict {
    /// None where the event could not be decoded.
    pub event: Option<Arc<Event>>,
    pub outcome: Outcome,
    /// What the agent gets.
    pub response: Response,
    /// Each handler that ran, in configuration order; those that judged a rewrite come again.
    pub told: Vec<Told>,
    pub diagnostics: Vec<Diagnostic>,
    /// Set where the host failed.
    pub fault: Option<String>,
}

impl Engine {
    /// The configuration is read with the first event of a project, which tells where to look.
    pub fn load(options: Options) -> Self {
        let store = Store::new(&options);
        let audit = Audit::new(&options, false);
        Engine {
            options,
            audit,
            store,
            sandbox: LazyLock::new(|| Sandbox::new(Mode::Run)),
            layers: Mutex::default(),
            resident: false,
        }
    }

    /// The same for a host that goes on: a configuration that changed holds from the next event on.
    pub fn resident(options: Options) -> Self {
        Engine {
            audit: Audit::new(&options, true),
            resident: true,
            sandbox: LazyLock::new(|| Sandbox::new(Mode::Resident)),
            ..Engine::load(options)
        }
    }

    /// The layers of `project`, as they were when it was first asked for; those of a resident engine as they are.
    pub fn layers(&self, project: &str) -> Arc<Layers> {
        let project = self.options.project.as_deref().unwrap_or(Path::new(project));
        // Looked at before they are read: what changes meanwhile is another file at the next event.
        let files = self.resident.then(|| Seen::now(&self.options, project));
        // Whoever panicked with it left it whole: it only ever changes by a push and a removal.
        let mut known = self.layers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = known.iter().position(|known| known.project == project) {
            let same = match (&files, &known[at].files) {
                (Some(now), Some(then)) => then.settled() && now.same_files(then),
                _ => true,
            };
            if same {
                return Arc::clone(&known[at].layers);
            }
            known.remove(at);
        }
        let layers = Arc::new(load::load_layers(&self.options, project));
        if known.len() == PROJECTS {
            known.remove(0);
        }
        known.push(Known {
            project: project.to_path_buf(),
            files,
            layers: Arc::clone(&layers),
        });
        layers
    }

    /// Answers what an agent sent: always, and never with less than a block where something broke.
    pub fn run(&self, agent: &str, payload: &[u8]) -> Verdict {
        self.decode(agent, payload)
            .map_or_else(|verdict| *verdict, |event| self.answer(event))
    }

    /// The event of what an agent sent.
    ///
    /// # Errors
    /// It cannot be judged: the verdict on that.
    pub fn decode<P: AsRef<[u8]>>(&self, agent: &str, payload: P) -> Result<Event, Box<Verdict>> {
        self.event_of(agent, payload).map_err(|(fault, name)| {
            let verdict = self.failed(agent, &name, &fault);
            self.audit.fault(agent, &name, &fault);
            Box::new(verdict)
        })
    }

    fn event_of<P: AsRef<[u8]>>(&self, agent: &str, payload: P) -> Result<Event, (HostFault, String)> {
        let value = value_of(payload.as_ref()).map_err(|fault| (fault, fault::event_name(agent, payload.as_ref())))?;
        // What a large event was read from has served: its memory is taken for what comes.
        let (name, payload) = if payload.as_ref().len() < large::EVENT {
            (String::new(), Some(payload))
        } else {
            (fault::name_in(agent, &value), None)
        };
        let project = self.options.project.as_ref().map(|project| project.to_string_lossy());
        let cwd = self.options.cwd.as_ref().map(|cwd| cwd.to_string_lossy());
        let home = self.options.home_text();
        let surroundings = Surroundings {
            project: project.as_deref(),
            cwd: cwd.as_deref(),
            home: (!home.is_empty()).then_some(home.as_str()),
        };
        dialects::decode_in(agent, value, &surroundings).map_err(|error| {
            let name = payload.map_or(name, |payload| fault::event_name(agent, payload.as_ref()));
            (HostFault::Event(error.to_string()), name)
        })
    }

    /// The verdict on an event that the host could not judge.
    pub fn failed(&self, agent: &str, event: &str, fault: &HostFault) -> Verdict {
        // Under its canonical name: the end of a turn has to be one, however the agent calls it.
        let outcome = fault.outcome(dialects::canonical_event(agent, event));
        let response = dialects::encode(agent, event, &outcome);
        Verdict {
            event: None,
            outcome,
            response,
            told: Vec::new(),
            diagnostics: Vec::new(),
            fault: Some(fault.to_string()),
        }
    }

    /// Answers an event.
    pub fn answer(&self, event: Event) -> Verdict {
        crate::inject::panic("engine");
        let event = Arc::new(event);
        let layers = self.layers(&event.project);
        if let Some(fault) = self.host_fault(&event, &layers) {
            self.audit.fault(&event.agent, &event.name, &fault);
            let outcome = fault.outcome(&event.name);
            let response = dialects::encode_event(&event, &outcome);
            let diagnostics = layers.diagnostics();
            return Verdict {
                event: Some(event),
                outcome,
                response,
                told: Vec::new(),
                diagnostics,
                fault: Some(fault.to_string()),
            };
        }
        let (selection, outcome, mut told) = self.decide_with(&event, &layers);
        let mut outcome = rewrite::judge_again(self, &event, &layers, outcome, &mut told);
        outcome.ask_passes = layers.ask_passes();
        hookbox_protocol::codec::fill_default_reason(&event, &mut outcome);
        let response = dialects::encode_event(&event, &outcome);
        // What this agent could not be told is in the audit, and `explain` shows it.
        outcome.warnings.extend(response.warnings.iter().cloned());
        outcome.warnings.extend(dialects::notes(&event));
        self.audit.event(&event, &outcome, &told);
        Verdict {
            event: Some(event),
            outcome,
            response,
            told,
            diagnostics: selection.diagnostics,
            fault: None,
        }
    }

    /// What keeps the host from judging any event of this project.
    fn host_fault(&self, event: &Event, layers: &Layers) -> Option<HostFault> {
        let surroundings = self.options.fault(&[&event.project, &event.cwd]);
        if let Some(fault) = surroundings {
            return Some(HostFault::Surroundings(fault));
        }
        let errors: Vec<String> = layers.errors().map(ToString::to_string).collect();
        (!errors.is_empty()).then(|| HostFault::Config(errors.join("\n")))
    }

    /// What the handlers of an event decide together.
    pub(crate) fn decide(&self, event: &Arc<Event>, layers: &Layers) -> (Outcome, Vec<Told>) {
        let (_, outcome, told) = self.decide_with(event, layers);
        (outcome, told)
    }

    fn decide_with(&self, event: &Arc<Event>, layers: &Layers) -> (Selection, Outcome, Vec<Told>) {
        let (mut selection, mut told) = self.ask(event, layers);
        if let Some(call) = dialects::as_call(event) {
            let (more, answers) = self.ask(&Arc::new(call), layers);
            selection.entries.extend(more.entries);
            selection.diagnostics.extend(more.diagnostics);
            told.extend(answers);
        }
        let outputs: Vec<_> = told.iter().map(|told| told.output.clone()).collect();
        let outcome = merge::merge(&event.name, &outputs);
        (selection, outcome, told)
    }

    /// What the handlers of this event answer, each by itself.
    fn ask(&self, event: &Arc<Event>, layers: &Layers) -> (Selection, Vec<Told>) {
        let dialect = Dialect::of_agent(&event.agent);
        let selection = select(layers, dialect, event);
        let shared = Shared {
            dialect,
            event: Arc::new(
                EventContext::new(Arc::clone(event), self.options.home_text(), self.options.values())
                    .in_world(self.options.world.clone()),
            ),
            instances: Instances::default(),
            stdin: OnceLock::new(),
            store: &self.store,
            sandbox: &self.sandbox,
        };
        let told = answer::run_all(&selection.entries, &shared);
        (selection, told)
    }

    /// Gets ready what most events need, as far as it lies prepared: for whoever waits for the rest of a large event.
    pub fn warm(&self) {
        if let Ok(sandbox) = &*self.sandbox {
            self.store.warm(sandbox);
        }
    }

    /// The options it was loaded with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Prepares every plugin of the configuration, so that no event has to wait for one. Gives what is wrong, per handler, or
    /// what whoever configured it should know.
    pub fn prepare(&self, project: &str) -> Vec<(String, Result<Vec<String>, String>)> {
        let layers = self.layers(project);
        let entries = layers.events().into_iter().flat_map(|event| layers.entries(event));
        let wasm = entries.filter_map(|entry| {
            let hookbox_protocol::config::HandlerKind::Wasm(wasm) = &entry.handler.kind else {
                return None;
            };
            let plugin = entry.plugin.as_ref()?;
            let wanted = crate::plugin::Wanted {
                name: &wasm.plugin,
                plugin,
                settings: &wasm.settings,
                settings_file: crate::plugin::settings_file(wasm, &entry.file),
                timeout: entry.handler.timeout,
                project,
            };
            let ready = self
                .sandbox
                .as_ref()
                .map_err(Clone::clone)
                .and_then(|sandbox| self.store.get(sandbox, &wanted));
            Some((
                format!("{}: {}: {}", entry.file, entry.handler.path, wasm.plugin),
                ready.map(|loaded| crate::program::notes(&loaded)),
            ))
        });
        wasm.collect()
    }
}

/// The JSON that an agent sent.
fn value_of(payload: &[u8]) -> Result<Value, HostFault> {
    if payload.len() > EVENT_BYTES {
        return Err(HostFault::LargeEvent(EVENT_BYTES));
    }
    let payload = payload.strip_prefix(b"\xef\xbb\xbf").unwrap_or(payload);
    if payload.iter().all(u8::is_ascii_whitespace) {
        return Err(HostFault::EmptyEvent);
    }
    let text = std::str::from_utf8(payload).map_err(|error| HostFault::NotUtf8(error.valid_up_to()))?;
    large::read(text).map_err(|error| HostFault::NotJson(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_resident_engine_has_the_configuration_that_is_there_now() {
        let folder = tempfile::tempdir().expect("a folder");
        let user = folder.path().join("user");
        std::fs::create_dir(&user).expect("a folder");
        let engine = Engine::resident(Options {
            user: Some(user.clone()),
            home: Some(folder.path().into()),
            ..Options::default()
        });
        let event = json!({
            "hook_event_name": "PreToolUse", "cwd": folder.path(), "tool_name": "Read", "tool_input": { "file_path": "a" },
        });
        let says = |word: &str| {
            let handler = json!({ "type": "command", "command": format!("echo {word} >&2; exit 2") });
            let config = json!({ "hooks": { "PreToolUse": [{ "hooks": [handler] }] } });
            std::fs::write(user.join("hooks.json"), config.to_string()).expect("a file");
        };
        let reason = || {
            let verdict = engine.run("claude-code", event.to_string().as_bytes());
            verdict.outcome.reason.unwrap_or_default()
        };
        // Of one length, and at once: the clock of the file system may not tell them apart.
        for word in ["one", "two", "six", "ten"] {
            says(word);
            assert!(reason().contains(word), "{word}: {}", reason());
            assert!(reason().contains(word), "it stays");
        }
        std::fs::write(user.join("hooks.json"), "{").expect("a file");
        assert!(reason().contains("configuration cannot be used"), "{}", reason());
        says("one");
        let project = folder.path().join(".hookbox");
        std::fs::create_dir(&project).expect("a folder");
        std::fs::write(project.join("hooks.json"), "[").expect("a file");
        assert!(reason().contains("configuration cannot be used"), "one that appears");
        std::fs::remove_file(project.join("hooks.json")).expect("a file");
        assert!(reason().contains("one"), "one that vanishes");
        std::fs::remove_file(user.join("hooks.json")).expect("a file");
        std::os::unix::fs::symlink("nowhere", user.join("hooks.json")).expect("a link");
        assert!(
            reason().contains("configuration cannot be used"),
            "a link that leads nowhere"
        );
    }

    #[test]
    fn each_project_is_judged_by_its_own_configuration() {
        let folder = tempfile::tempdir().expect("a folder");
        let project = |name: &str, says: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.join(".hookbox")).expect("a folder");
            let handler = json!({ "type": "command", "command": format!("echo {says} >&2; exit 2") });
            let config = json!({ "hooks": { "PreToolUse": [{ "hooks": [handler] }] } });
            std::fs::write(path.join(".hookbox/hooks.json"), config.to_string()).expect("a file");
            path
        };
        let (one, two) = (project("one", "first"), project("two", "second"));
        let user = folder.path().join("user");
        std::fs::create_dir(&user).expect("a folder");
        let digest = |path: &Path| {
            let text = std::fs::read(path.join(".hookbox/hooks.json")).expect("a file");
            format!("{}\n", hookbox_sandbox::prepare::digest(&text))
        };
        std::fs::write(user.join("trusted"), digest(&one) + &digest(&two)).expect("a file");
        let engine = Engine::load(Options {
            user: Some(user),
            home: Some(folder.path().into()),
            ..Options::default()
        });
        let reason = |project: &Path| {
            let event = json!({
                "hook_event_name": "PreToolUse", "cwd": project, "tool_name": "Bash", "tool_input": { "command": "ls" },
            });
            engine
                .run("claude-code", event.to_string().as_bytes())
                .outcome
                .reason
                .unwrap_or_default()
        };
        for _ in 0..2 {
            assert!(reason(&one).contains("]: first"), "{}", reason(&one));
            assert!(reason(&two).contains("]: second"), "{}", reason(&two));
        }
        for at in 0..2 * PROJECTS {
            let _ = engine.layers(&format!("/nowhere/{at}"));
        }
        assert_eq!(engine.layers.lock().expect("whole").len(), PROJECTS);
        assert!(reason(&one).contains("]: first"));
    }
}

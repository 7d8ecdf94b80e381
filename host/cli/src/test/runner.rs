//! Runs cases: each event through an engine of its own, as each event of an agent is a process of its own.

use super::subject::Subject;
use super::tree;
use anyhow::{Context, Result};
use hookbox::protocol::Decision;
use hookbox::sandbox::World;
use hookbox::{Engine, Options, Told, Verdict};
use hookbox_cases::{Answer, Case, Cases, HOME, PROJECT, Step};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use tempfile::TempDir;

/// A case, or one step of it, that did not come out as expected.
#[derive(Debug)]
pub(crate) struct Differing {
    pub(crate) case: usize,
    /// Seconds since the case began, in a sequence.
    pub(crate) at: Option<f64>,
    pub(crate) shown: String,
    pub(crate) difference: String,
}

/// A folder for everything that a run makes: prepared plugins, values, file trees. It goes with the run.
pub(crate) struct Runner {
    folder: TempDir,
    options: Options,
}

impl Runner {
    pub(crate) fn new() -> Result<Self> {
        let options = Options::from_environment().preparing_with_this_program();
        // Where plugins are prepared otherwise too: a temporary folder may be one that nothing may be mapped from.
        let place = options.cache.clone().unwrap_or_else(std::env::temp_dir);
        fs::create_dir_all(&place).with_context(|| place.display().to_string())?;
        let folder = tempfile::Builder::new().prefix("test-").tempdir_in(&place);
        let folder = folder.with_context(|| format!("{} cannot be written", place.display()))?;
        Ok(Runner { folder, options })
    }

    /// What differs, in the order of the cases. Those that share their settings wait for one preparation.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub(crate) fn run(&self, subject: &Subject, cases: &Cases) -> Result<Vec<Differing>> {
        let mut groups: Vec<(&Map<String, Value>, Vec<&Case>)> = Vec::new();
        for case in &cases.cases {
            match groups.iter_mut().find(|(settings, _)| **settings == case.settings) {
                Some((_, group)) => group.push(case),
                None => groups.push((&case.settings, vec![case])),
            }
        }
        let next = AtomicUsize::new(0);
        let differing = Mutex::new(Vec::new());
        let work = || -> Result<()> {
            while let Some((settings, group)) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
                let config = self.config(subject, settings, group)?;
                for case in group {
                    let found = self.case(subject, &config, case)?;
                    differing
                        .lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner)
                        .extend(found);
                }
            }
            Ok(())
        };
        let workers = thread::available_parallelism().map_or(1, usize::from).min(groups.len());
        thread::scope(|scope| -> Result<()> {
            let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            workers
                .into_iter()
                .try_for_each(|worker| worker.join().ok().context("a worker ended early")?)
        })?;
        let mut differing = differing
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        differing.sort_by_key(|differing| differing.case);
        Ok(differing)
    }

    /// The configuration file that answers this group.
    fn config(&self, subject: &Subject, settings: &Map<String, Value>, group: &[&Case]) -> Result<PathBuf> {
        let plugin = match subject {
            Subject::Configuration { file, .. } => return Ok(file.clone()),
            Subject::Plugin(plugin) => plugin,
        };
        let payloads = group.iter().flat_map(|case| &case.steps).map(|step| &step.payload);
        let events: BTreeSet<&str> = payloads
            .filter_map(|payload| payload["hook_event_name"].as_str())
            .collect();
        let text = plugin.configuration(settings, events.into_iter()).to_string();
        let file = tempfile::Builder::new()
            .prefix("hooks-")
            .suffix(".json")
            .tempfile_in(self.folder.path())?;
        fs::write(file.path(), text)?;
        Ok(file.keep().map(|(_, path)| path)?)
    }

    fn case(&self, subject: &Subject, config: &Path, case: &Case) -> Result<Vec<Differing>> {
        let own = tempfile::Builder::new()
            .prefix("case-")
            .tempdir_in(self.folder.path())?;
        let root = own.path().join("root");
        tree::make(&root, case).with_context(|| format!("the files of case {}", case.number))?;
        let mut world = World {
            root: Some(fs::canonicalize(&root)?),
            now: None,
            workplace: std::env::current_dir().ok(),
        };
        let mut differing = Vec::new();
        for step in &case.steps {
            world.now = case.sequence.then(|| step.now());
            let options = Options {
                config: Some(config.to_path_buf()),
                project: Some(PROJECT.into()),
                home: Some(HOME.into()),
                cache: Some(self.folder.path().join("cache")),
                state: Some(own.path().join("state")),
                preparer: self.options.preparer.clone(),
                world: world.clone(),
                ..Options::default()
            };
            let verdict = Engine::load(options).run("claude-code", step.payload.to_string().as_bytes());
            differing.extend(difference(subject, step, &verdict).map(|difference| Differing {
                case: case.number,
                at: case.sequence.then_some(step.at),
                shown: step.shown.clone(),
                difference,
            }));
        }
        Ok(differing)
    }
}

/// The first thing that is not as expected. A failure never is: a deny because something broke is no deny of a rule.
fn difference(subject: &Subject, step: &Step, verdict: &Verdict) -> Option<String> {
    if let Some(fault) = &verdict.fault {
        return Some(format!("it cannot be judged: {fault}"));
    }
    if let Some((told, failure)) = verdict
        .told
        .iter()
        .find_map(|told| Some((told, told.output.failure.as_ref()?)))
    {
        return Some(format!("{} failed: {}", told.label, failure.message));
    }
    if let Subject::Plugin(plugin) = subject {
        let Some(told) = verdict.told.first() else {
            return Some(format!("{} did not run", plugin.name));
        };
        let output = &told.output;
        let rules: Vec<String> = output.rule.clone().into_iter().collect();
        return step.expected.difference(&Answer {
            decision: output.decision,
            rules: &rules,
            reason: output.reason.as_deref().unwrap_or_default(),
            context: output.additional_context.as_deref().unwrap_or_default(),
            stop: output.stop.is_some(),
            fired: &fired(told),
        });
    }
    let outcome = &verdict.outcome;
    let decided = verdict
        .told
        .iter()
        .filter(|told| told.output.decision == outcome.decision && outcome.decision.is_some());
    let rule = |told: &Told| format!("{}/{}", told.label, told.output.rule.as_deref().unwrap_or_default());
    let rules: Vec<String> = decided.map(rule).collect();
    step.expected.difference(&Answer {
        decision: outcome.decision,
        rules: &rules,
        reason: outcome.reason.as_deref().unwrap_or_default(),
        context: &outcome.additional_context.join("\n"),
        stop: outcome.stop.is_some(),
        fired: &[],
    })
}

/// The rules of the plugin `rules` that fired: those that deny or ask are logged, those that allow are named in the reason.
fn fired(told: &Told) -> Vec<String> {
    if told.output.decision == Some(Decision::Allow) {
        let reason = told.output.reason.as_deref().unwrap_or_default();
        let named = reason.split("\n\n").filter_map(|part| Some(part.split_once(": ")?.0));
        return told
            .output
            .rule
            .iter()
            .map(String::as_str)
            .chain(named)
            .map(str::to_owned)
            .collect();
    }
    let rule = |line: &String| {
        Some(
            line.strip_prefix("info: ")?
                .strip_suffix(") fired")?
                .rsplit_once(" (")?
                .0
                .to_owned(),
        )
    };
    told.log.iter().filter_map(rule).collect()
}

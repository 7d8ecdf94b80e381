//! Which handlers answer an event: those whose matcher and `if` rule fit, each identical one once.

use serde_json::Value;

use super::diagnostic::Diagnostic;
use super::layers::{Entry, Layers};
use super::types::{HandlerKind, PluginSource, Shell};
use crate::condition::{Condition, Subject};
use crate::dialect::Dialect;
use crate::event::Event;
use crate::matcher::Matcher;

/// The handlers of one event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// In configuration order.
    pub entries: Vec<Entry>,
    /// Matchers and rules that are not what they seem, and copies that disagree.
    pub diagnostics: Vec<Diagnostic>,
}

/// Ways that all expressions of an event together may have to try, at most: well under a second.
const MOST_WORK: f64 = (1_u32 << 25) as f64;

/// Selects the handlers that answer `event`.
pub fn select(layers: &Layers, dialect: Dialect, event: &Event) -> Selection {
    let mut selection = Selection::default();
    let subject = Subject::new(event);
    let mut work = 0.0;
    let mut group: Option<(Option<String>, bool)> = None;
    for entry in layers.entries(&event.name) {
        // The handlers of a group follow each other: its matcher is compiled and tested once.
        let matches = match &group {
            Some((matcher, matches)) if *matcher == entry.matcher => *matches,
            _ => {
                let matches = selection.matches(&entry, dialect, event, &mut work);
                group = Some((entry.matcher.clone(), matches));
                matches
            }
        };
        if !matches {
            continue;
        }
        if let Some(rule) = &entry.handler.condition {
            let (condition, found) = Condition::parse(rule);
            selection.report(&entry, found);
            if !condition.fires_on(&subject) {
                continue;
            }
        }
        selection.entries.push(entry);
    }
    let (entries, clashes) = once_each(selection.entries);
    selection.entries = entries;
    selection.diagnostics.extend(clashes);
    selection
}

impl Selection {
    fn matches(&mut self, entry: &Entry, dialect: Dialect, event: &Event, work: &mut f64) -> bool {
        let (matcher, found) = Matcher::new(dialect, &event.name, entry.matcher.as_deref());
        self.report(entry, found);
        *work += matcher.work(event);
        if *work > MOST_WORK {
            let message = "the expressions of this event's matchers could take too long: this one counts as matching";
            self.report(entry, Some(Diagnostic::warning("", message)));
            return true;
        }
        matcher.matches_event(event)
    }

    fn report(&mut self, entry: &Entry, found: Option<Diagnostic>) {
        self.diagnostics
            .extend(found.map(|found| found.in_file(&entry.file).at(entry.handler.path.clone())));
    }
}

/// What makes two handlers the same one. How long it may take, whether it is waited for and what its failure means do not.
#[derive(PartialEq)]
enum Identity<'a> {
    Command(&'a str, Option<&'a [String]>, Shell, Option<&'a str>),
    Wasm(
        &'a PluginSource,
        Option<&'a str>,
        Option<&'a str>,
        &'a Value,
        Option<(&'a str, &'a str)>,
        Option<&'a str>,
    ),
}

fn identity(entry: &Entry) -> Option<Identity<'_>> {
    let rule = entry.handler.condition.as_deref();
    match &entry.handler.kind {
        HandlerKind::Command(command) => Some(Identity::Command(
            &command.command,
            command.args.as_deref(),
            command.shell,
            rule,
        )),
        HandlerKind::Wasm(wasm) => {
            let plugin = entry.plugin.as_ref()?;
            let relative = matches!(plugin.entry.source, PluginSource::Path(_));
            let base = plugin.file.as_deref().filter(|_| relative);
            Some(Identity::Wasm(
                &plugin.entry.source,
                plugin.entry.digest.as_deref(),
                base,
                &wasm.settings,
                // Of the same name in another folder: another file.
                wasm.settings_file.as_deref().map(|file| (entry.file.as_str(), file)),
                rule,
            ))
        }
        HandlerKind::Other { .. } | HandlerKind::Broken { .. } => None,
    }
}

/// Keeps each identical handler once, at the place of its first copy.
///
/// The copy of the highest layer is the one that counts, within a layer the last, as agents have it; but of what a failure
/// means the strictest stays, a copy that is waited for stays waited for, and powers are those of the most trusted copy. So a
/// later copy cannot disarm an earlier one.
pub fn once_each(entries: Vec<Entry>) -> (Vec<Entry>, Vec<Diagnostic>) {
    let mut kept: Vec<Entry> = Vec::with_capacity(entries.len());
    let mut clashes = Vec::new();
    for entry in entries {
        let same = identity(&entry).and_then(|id| {
            kept.iter()
                .position(|earlier| identity(earlier).is_some_and(|other| other == id))
        });
        let Some(earlier) = same.and_then(|index| kept.get_mut(index)) else {
            kept.push(entry);
            continue;
        };
        clashes.extend(clash(earlier, &entry));
        let on_failure = earlier.on_failure.max(entry.on_failure);
        let waited_for = !runs_async(earlier) || !runs_async(&entry);
        let tighten_only = earlier.tighten_only && entry.tighten_only;
        let earlier_counts = if earlier.tighten_only == entry.tighten_only {
            earlier.layer < entry.layer
        } else {
            entry.tighten_only
        };
        if !earlier_counts {
            *earlier = entry;
        }
        earlier.on_failure = on_failure;
        earlier.tighten_only = tighten_only;
        if let HandlerKind::Command(command) = &mut earlier.handler.kind
            && waited_for
        {
            command.run_async = false;
            command.async_rewake = false;
        }
    }
    (kept, clashes)
}

fn runs_async(entry: &Entry) -> bool {
    matches!(&entry.handler.kind, HandlerKind::Command(command) if command.run_async || command.async_rewake)
}

/// Says so where two copies of one handler disagree in what matters.
fn clash(earlier: &Entry, later: &Entry) -> Option<Diagnostic> {
    let mut about = Vec::new();
    if earlier.on_failure != later.on_failure {
        about.push("onFailure (\"block\" stays)");
    }
    if runs_async(earlier) != runs_async(later) {
        about.push("async (it is waited for)");
    }
    let first = format!("{}: {}", earlier.file, earlier.handler.path);
    (!about.is_empty()).then(|| {
        Diagnostic::warning(
            later.handler.path.clone(),
            format!(
                "the same handler as {first}, and runs once; the copies differ in {}",
                about.join(" and ")
            ),
        )
        .in_file(&later.file)
        .hint("take one out")
    })
}

//! Keys that an object has twice: what JSON hides of them, and what of that counts all the same, so that no guard vanishes.

use super::diagnostic::Diagnostic;
use super::json::{self, Document, Duplicate, Step};
use super::parse::OWN_KEYS;
use super::reader::Findings;
use serde_json::Value;

/// What became of a hidden value.
enum Kept {
    /// Both values are read.
    Both,
    /// The value that counts is the stricter one.
    Stricter,
    Last,
}

/// Keys that say how strict something is, and the value of each that is not.
const LAX: &[(&str, Lax)] = &[
    ("onFailure", Lax::Text("continue")),
    ("askFallback", Lax::Text("none")),
    ("disableAllHooks", Lax::Flag(true)),
    ("allowManagedHooksOnly", Lax::Flag(false)),
    ("forbidCommandHandlers", Lax::Flag(false)),
    ("requireSigners", Lax::Flag(false)),
    ("async", Lax::Flag(true)),
];

enum Lax {
    Text(&'static str),
    Flag(bool),
}

impl Lax {
    fn is(&self, value: &Value) -> bool {
        match self {
            Lax::Text(text) => value == text,
            Lax::Flag(flag) => value == flag,
        }
    }
}

/// Reports hidden values, and gives back those that hold guards: of a duplicated `hooks` or event both copies count.
pub(super) fn rescue(document: &mut Document, findings: &mut Findings) {
    for Duplicate { path, hidden } in std::mem::take(&mut document.duplicates) {
        let at = json::render(&path);
        let name = match path.last() {
            Some(Step::Key(key)) => key.as_str(),
            _ => "",
        };
        findings.add(match merge(&mut document.value, &path, name, hidden) {
            Kept::Both => Diagnostic::warning(
                at,
                format!("{name:?} is here twice: both are read, an agent reads only the last"),
            )
            .hint("join them into one"),
            Kept::Stricter => {
                Diagnostic::error(at, format!("{name:?} is here twice: the stricter one counts")).hint("take one out")
            }
            Kept::Last => {
                Diagnostic::error(at, format!("{name:?} is here twice: only the last one counts")).hint("take one out")
            }
        });
    }
}

/// Puts a hidden list before the list that hides it, and a hidden object's lists before those of the object. Event maps, events
/// and the handlers of a group are joined; of what says how, the stricter value stays.
fn merge(root: &mut Value, path: &[Step], name: &str, hidden: Value) -> Kept {
    let kept = path.iter().try_fold(root, |at, step| match step {
        Step::Key(key) => at.get_mut(key.as_str()),
        Step::Index(index) => at.get_mut(*index),
    });
    let Some(kept) = kept else { return Kept::Last };
    let (is_map, is_list) = kind(path);
    match (hidden, &mut *kept) {
        (Value::Null, _) => Kept::Last,
        // A null says nothing, so nothing is hidden by it.
        (hidden, kept @ Value::Null) => {
            *kept = hidden;
            Kept::Both
        }
        (Value::Array(hidden), Value::Array(kept)) if is_list => {
            kept.splice(0..0, hidden);
            Kept::Both
        }
        // A group, or a handler, that forgot its list.
        (hidden @ Value::Object(_), Value::Array(kept)) if is_list => {
            kept.insert(0, hidden);
            Kept::Both
        }
        (Value::Object(hidden), Value::Object(kept)) if is_map => {
            for (event, groups) in hidden {
                match (groups, kept.get_mut(&event)) {
                    (Value::Array(groups), Some(Value::Array(kept))) => drop(kept.splice(0..0, groups)),
                    (Value::Null, Some(_)) => {}
                    (groups, Some(kept @ Value::Null)) => *kept = groups,
                    (group @ Value::Object(_), Some(Value::Array(kept))) => kept.insert(0, group),
                    (_, Some(_)) => {}
                    (groups, None) => drop(kept.insert(event, groups)),
                }
            }
            Kept::Both
        }
        (hidden, kept) => match LAX.iter().find(|(key, _)| *key == name) {
            Some((_, lax)) => {
                if lax.is(kept) {
                    *kept = hidden;
                }
                Kept::Stricter
            }
            None => Kept::Last,
        },
    }
}

/// Whether a path is that of an event map, and whether it is that of a list of groups or handlers.
fn kind(path: &[Step]) -> (bool, bool) {
    use Step::{Index, Key};
    let key = |step: &Step, wanted: &str| matches!(step, Key(key) if key == wanted);
    match path {
        [hooks] if key(hooks, "hooks") => (true, false),
        [settings, hooks] if key(settings, "settings") && key(hooks, "hooks") => (true, false),
        [hooks, Key(_)] if key(hooks, "hooks") => (false, true),
        [settings, hooks, Key(_)] if key(settings, "settings") && key(hooks, "hooks") => (false, true),
        [Key(event)] => (false, !OWN_KEYS.contains(&event.as_str())),
        [.., Index(_), handlers] => (false, key(handlers, "hooks")),
        _ => (false, false),
    }
}

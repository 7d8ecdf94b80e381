//! What a rule asks of one thing that an event does. A key that is absent asks nothing; a list is "one of these".

use crate::index::{self, Key, Place};
use crate::pattern::{Flags, Hold, PathPattern, Places, Text, Word, Words, any};
use crate::subject::{Kind, Program, Scene, Subject};
use hookbox_sdk::Host;

/// The conditions of a rule or of one of its exceptions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions {
    pub(crate) agent: Vec<Word>,
    pub(crate) event: Vec<Word>,
    pub(crate) tool: Vec<Word>,
    pub(crate) action: Vec<Kind>,
    pub(crate) program: Vec<Word>,
    pub(crate) command: Vec<Words>,
    pub(crate) args: Vec<Words>,
    pub(crate) flags: Vec<Flags>,
    pub(crate) via: Vec<Word>,
    pub(crate) path: Vec<PathPattern>,
    pub(crate) host: Vec<Word>,
    pub(crate) text: Vec<Text>,
    pub(crate) content: Vec<Text>,
    pub(crate) prompt: Vec<Text>,
    pub(crate) output: Vec<Text>,
    pub(crate) branch: Vec<Word>,
    pub(crate) cwd: Vec<PathPattern>,
    /// JSON Pointer into the event, and what its value must be.
    pub(crate) fields: Vec<(String, Vec<Word>)>,
}

impl Conditions {
    /// For each condition that words stand for: the keys of which an event has one, where the condition holds.
    /// `forbids`: its path also holds for what deletes a folder above.
    pub(crate) fn keys(&self, forbids: bool) -> Vec<Vec<Key>> {
        let words = |words: &[Word], place: Place| -> Option<Vec<Key>> {
            words
                .iter()
                .map(|word| word.literal().map(|word| index::key(place, word)))
                .collect()
        };
        let rows = |rows: &[Words], whole: bool| -> Option<Vec<Key>> {
            let keys: Option<Vec<Vec<Key>>> = rows.iter().map(|row| index::row_key(row, whole)).collect();
            Some(keys?.concat())
        };
        let hosts: Option<Vec<Key>> = self
            .host
            .iter()
            .map(|word| word.host_literal().map(|host| index::key(Place::Host, host)))
            .collect();
        let names: Option<Vec<Key>> = self
            .path
            .iter()
            .map(|pattern| pattern.name().map(|name| index::key(Place::Name, name)))
            .collect();
        let above = self
            .path
            .iter()
            .filter(|_| forbids)
            .flat_map(PathPattern::folders_above);
        let above: Vec<Key> = above.map(|folder| index::key(Place::Above, folder)).collect();
        let all = [
            words(&self.tool, Place::Tool),
            words(&self.program, Place::Program),
            rows(&self.command, true),
            // In an allow, words may be left out where `...` stands for them.
            rows(&self.args, false).filter(|_| forbids),
            hosts,
            names.map(|names| {
                if names.is_empty() {
                    names
                } else {
                    [names, above].concat()
                }
            }),
            index::texts(&self.text),
            index::texts(&self.content),
            index::texts(&self.prompt),
            index::texts(&self.output),
        ];
        all.into_iter().flatten().filter(|keys| !keys.is_empty()).collect()
    }

    /// What must be found in texts.
    pub(crate) fn literals(&self) -> impl Iterator<Item = &str> {
        let all = [&self.text, &self.content, &self.prompt, &self.output];
        all.into_iter().flatten().filter_map(Text::literal)
    }

    /// Whether the conditions that concern the event as a whole hold.
    pub(crate) fn hold_for_event(&self, scene: &Scene<'_, impl Host>, hold: Hold) -> bool {
        let event = scene.event;
        any(&self.event, |word| word.matches(&event.name))
            && any(&self.agent, |word| word.matches(&event.agent))
            && any(&self.tool, |word| {
                event.tool.as_ref().is_some_and(|tool| word.matches(&tool.name))
            })
            && any(&self.prompt, |text| {
                event.prompt.as_ref().is_some_and(|prompt| text.found_in(prompt))
            })
            && self.fields.iter().all(|(pointer, words)| {
                scene
                    .field(pointer)
                    .is_some_and(|value| words.iter().any(|word| word.matches(&value)))
            })
            && any(&self.branch, |word| scene.on_branch(word, hold))
            && (self.output.is_empty()
                || scene
                    .tool_output()
                    .is_some_and(|output| self.output.iter().any(|text| text.found_in(output))))
    }

    /// Whether the conditions that concern one thing that the event does hold for it.
    pub(crate) fn hold_for(&self, subject: &Subject<'_>, places: &Places<'_>, hold: Hold) -> bool {
        any(&self.action, |kind| subject.kind == Some(*kind))
            && any(&self.text, |text| {
                subject.text.is_some_and(|command| match hold {
                    // A part of the line says nothing about what the rest of it does.
                    Hold::All => text.is(command.trim()),
                    Hold::Any | Hold::Exempt => text.found_in(command),
                })
            })
            && any(&self.content, |text| {
                subject.content.as_ref().is_some_and(|content| text.found_in(content))
            })
            && any(&self.cwd, |pattern| {
                subject
                    .cwd
                    .as_ref()
                    .is_some_and(|cwd| pattern.matches(cwd, places, hold))
            })
            && self.command_holds(subject, hold)
            && self.paths_hold(subject, places, hold)
            && self.hosts_hold(subject, hold)
    }

    fn command_holds(&self, subject: &Subject<'_>, hold: Hold) -> bool {
        if self.program.is_empty()
            && self.command.is_empty()
            && self.args.is_empty()
            && self.flags.is_empty()
            && self.via.is_empty()
        {
            // That something may be read or written is not that any program may run on it.
            return hold != Hold::All || subject.kind != Some(Kind::Run) || self.speaks_of_commands();
        }
        let Some(command) = &subject.command else { return false };
        let program = command.program.as_str();
        let mut row = vec![program];
        row.extend(command.args.iter().copied());
        let matched = any(&self.program, |word| word.matches_folded(program, hold))
            && any(&self.command, |words| words.is(&row, hold))
            && any(&self.via, |word| command.via.iter().any(|via| word.matches(via)));
        matched
            && match hold {
                Hold::All => self.accounts_for(command),
                Hold::Any | Hold::Exempt => {
                    any(&self.args, |words| words.within(&command.args))
                        && any(&self.flags, |flags| flags.all_in(&command.args))
                }
            }
    }

    fn speaks_of_commands(&self) -> bool {
        !(self.tool.is_empty() && self.action.is_empty() && self.text.is_empty())
    }

    /// For an allow: nothing of the command is left that the rule has not named.
    fn accounts_for(&self, command: &Program<'_>) -> bool {
        if !command.known || command.assigns || (self.via.is_empty() && !command.via.is_empty()) {
            return false;
        }
        if !self.command.is_empty() || (self.args.is_empty() && self.flags.is_empty()) {
            return true;
        }
        let (flags, words): (Vec<&str>, Vec<&str>) = command.args.iter().partition(|arg| arg.starts_with('-'));
        let words_named = match self.args.is_empty() {
            true => words.is_empty(),
            false => self.args.iter().any(|row| row.is(&words, Hold::All)),
        };
        words_named
            && flags
                .iter()
                .all(|flag| self.flags.iter().any(|flags| flags.accounts_for(flag)))
    }

    fn paths_hold(&self, subject: &Subject<'_>, places: &Places<'_>, hold: Hold) -> bool {
        if self.path.is_empty() {
            return true;
        }
        let meant = |path: &String| {
            self.path.iter().any(|pattern| {
                pattern.matches(path, places, hold)
                    || (hold == Hold::Any && subject.takes_folders_along() && pattern.lies_below(path, places))
            })
        };
        match hold {
            Hold::Any => subject.paths.iter().any(meant),
            Hold::Exempt | Hold::All => {
                let paths = if subject.command.is_some() {
                    &subject.words
                } else {
                    &subject.paths
                };
                subject.paths_known && !paths.is_empty() && paths.iter().all(meant)
            }
        }
    }

    fn hosts_hold(&self, subject: &Subject<'_>, hold: Hold) -> bool {
        let meant = |host: &String| self.host.iter().any(|word| word.matches_host(host, hold));
        match hold {
            _ if self.host.is_empty() => true,
            Hold::Any => subject.hosts.iter().any(meant),
            Hold::Exempt | Hold::All => !subject.hosts.is_empty() && subject.hosts.iter().all(meant),
        }
    }
}

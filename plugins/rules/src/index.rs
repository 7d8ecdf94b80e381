//! Which rules can hold for an event at all, so that thousands of rules cost what ten do.
//!
//! Of each rule one condition is chosen, the one that fewest other rules share, and the rule is kept under the words that
//! this condition cannot hold without. An event looks up the words that it has; a rule that is not found cannot fire. The
//! tables are flat and are built at `configure`: an event touches a few pages of them.

use crate::pattern::{Text, Words};
use crate::settings::{Effect, Rule};
use crate::subject::{Scene, Subjects};
use hookbox_sdk::Host;
use std::collections::{HashMap, HashSet};

/// Where a word stands. The same word in another place is another key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Tool,
    Program,
    Argument,
    /// One name of a path.
    Name,
    /// A folder that has something of a rule below it: what deletes it takes that along.
    Above,
    Host,
}

/// A word in its place, hashed. Two that fall together only cost a look at one more rule.
pub(crate) type Key = u32;

/// Bytes of a text that make a key: eight where what is looked for has so many, as four are found in any long text.
const LONG: usize = 8;
const SHORT: usize = 4;
/// Bits of the filter; a power of two. 8 KiB: two pages.
const FILTER_BITS: u32 = 1 << 16;

/// The rules by their keys.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// Sorted.
    by_key: Vec<(Key, u32)>,
    /// One bit per key that exists, so that most lookups end here.
    filter: Vec<u64>,
    /// Rules that no key stands for.
    always: Vec<u32>,
    /// Whether any key is of so many bytes of a text: else texts are not read for them.
    long: bool,
    short: bool,
}

/// FNV-1a over ASCII-folded bytes.
pub(crate) fn key(place: Place, word: &str) -> Key {
    hash(place, word.bytes())
}

fn hash(place: Place, bytes: impl Iterator<Item = u8>) -> Key {
    let start = 0x811c_9dc5 ^ (place as u32).wrapping_mul(0x9e37_79b9);
    bytes.fold(start, |hash, byte| {
        (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193)
    })
}

/// The key of some bytes of a text, ASCII-folded.
fn gram(folded: &[u8]) -> Key {
    let mut word = [0; LONG];
    word[..folded.len()].copy_from_slice(folded);
    // The upper half of a product depends on every byte.
    (u64::from_le_bytes(word).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as Key
}

/// How many bytes make the key of a text that must be found in another: none where it is too short.
fn gram_length(literal: &str) -> Option<usize> {
    [LONG, SHORT].into_iter().find(|length| literal.len() >= *length)
}

fn text_key(literal: &str) -> Option<Key> {
    // The middle of a literal tells more than its beginning: many begin alike.
    let folded = literal.as_bytes().to_ascii_lowercase();
    let length = gram_length(literal)?;
    let start = (folded.len() - length) / 2;
    folded.get(start..start + length).map(gram)
}

impl Index {
    pub(crate) fn new(rules: &[Rule]) -> Self {
        let wanted: Vec<Vec<Vec<Key>>> = rules
            .iter()
            .map(|rule| rule.conditions.keys(rule.effect != Effect::Allow))
            .collect();
        let mut shared: HashMap<Key, u32> = HashMap::new();
        for key in wanted.iter().flatten().flatten() {
            *shared.entry(*key).or_default() += 1;
        }
        let mut index = Index {
            filter: vec![0; (FILTER_BITS / 64) as usize],
            ..Index::default()
        };
        for (number, conditions) in (0u32..).zip(&wanted) {
            let cost = |keys: &&Vec<Key>| {
                keys.iter()
                    .map(|key| shared.get(key).copied().unwrap_or(0))
                    .sum::<u32>()
            };
            match conditions.iter().min_by_key(cost) {
                Some(keys) => index.by_key.extend(keys.iter().map(|key| (*key, number))),
                None => index.always.push(number),
            }
        }
        index.by_key.sort_unstable();
        index.by_key.dedup();
        for (key, _) in &index.by_key {
            index.filter[(key % FILTER_BITS / 64) as usize] |= 1 << (key % 64);
        }
        for literal in rules.iter().flat_map(|rule| rule.conditions.literals()) {
            index.long |= gram_length(literal) == Some(LONG);
            index.short |= gram_length(literal) == Some(SHORT);
        }
        index
    }

    fn has(&self, key: Key) -> bool {
        self.filter
            .get((key % FILTER_BITS / 64) as usize)
            .is_some_and(|word| word >> (key % 64) & 1 == 1)
    }

    fn find(&self, key: Key, into: &mut Vec<u32>) {
        if self.has(key) {
            let start = self.by_key.partition_point(|(known, _)| *known < key);
            into.extend(
                self.by_key[start..]
                    .iter()
                    .take_while(|(known, _)| *known == key)
                    .map(|(_, number)| *number),
            );
        }
    }

    fn find_in_text(&self, text: &str, seen: &mut HashSet<Key>, into: &mut Vec<u32>) {
        let folded = text.as_bytes().to_ascii_lowercase();
        for (length, _) in [(LONG, self.long), (SHORT, self.short)]
            .into_iter()
            .filter(|(_, used)| *used)
        {
            for window in folded.windows(length) {
                let key = gram(window);
                if self.has(key) && seen.insert(key) {
                    self.find(key, into);
                }
            }
        }
    }

    /// The rules that can hold for the event, in their order.
    pub(crate) fn candidates<'r>(
        &self,
        rules: &'r [Rule],
        scene: &Scene<'_, impl Host>,
        subjects: &Subjects<'_>,
    ) -> Vec<&'r Rule> {
        let mut found = self.always.clone();
        if let Some(tool) = &scene.event.tool {
            self.find(key(Place::Tool, &tool.name), &mut found);
        }
        let places = scene.places();
        for subject in &subjects.all {
            if let Some(command) = &subject.command {
                self.find(key(Place::Program, &command.program), &mut found);
                for arg in &command.args {
                    self.find(key(Place::Argument, arg), &mut found);
                }
            }
            for path in &subject.paths {
                for name in path.split('/') {
                    self.find(key(Place::Name, name), &mut found);
                }
                if subject.takes_folders_along() {
                    for base in [places.project, places.home, places.cwd, ""] {
                        if let Some(folder) = below(path, base) {
                            self.find(key(Place::Above, folder), &mut found);
                        }
                    }
                }
            }
            for host in &subject.hosts {
                let mut rest = host.as_str();
                loop {
                    self.find(key(Place::Host, rest), &mut found);
                    match rest.split_once('.') {
                        Some((_, parent)) => rest = parent,
                        None => break,
                    }
                }
            }
        }
        if self.long || self.short {
            let mut seen = HashSet::new();
            let commands = subjects.all.iter().filter_map(|subject| subject.text);
            let contents = subjects.all.iter().filter_map(|subject| subject.content.as_deref());
            let texts = commands
                .chain(contents)
                .chain(scene.event.prompt.as_deref())
                .chain(scene.tool_output());
            let mut last = "";
            for text in texts {
                // One command line is the text of each of its programs.
                if !std::ptr::eq(text, last) {
                    self.find_in_text(text, &mut seen, &mut found);
                }
                last = text;
            }
        }
        found.sort_unstable();
        found.dedup();
        found
            .into_iter()
            .filter_map(|number| rules.get(number as usize))
            .collect()
    }
}

/// Where a folder lies below a base; the base itself and what is above it are the empty path.
fn below<'a>(folder: &'a str, base: &str) -> Option<&'a str> {
    let (folder, base) = (folder.trim_end_matches('/'), base.trim_end_matches('/'));
    if base.starts_with(folder) && (base.len() == folder.len() || base[folder.len()..].starts_with('/')) {
        return Some("");
    }
    folder.strip_prefix(base)?.strip_prefix('/')
}

/// The words of a row that stand for it: the first as a program, where it is a whole command.
pub(crate) fn row_key(row: &Words, whole: bool) -> Option<Vec<Key>> {
    let place = if whole { Place::Program } else { Place::Argument };
    row.first_literals()
        .map(|words| words.into_iter().map(|word| key(place, word)).collect())
}

/// The key of each pattern over a text; none where one of them has none.
pub(crate) fn texts(patterns: &[Text]) -> Option<Vec<Key>> {
    patterns.iter().map(|text| text_key(text.literal()?)).collect()
}

#[cfg(test)]
mod tests {
    use crate::Rules;
    use hookbox_sdk::test::{TestHost, bash_event, event};
    use hookbox_sdk::{Decision, Host, Plugin};
    use serde_json::{Value, json};

    /// The rule beside hundreds of others, so that it is only found by its own keys.
    fn among_many(rule: Value) -> Rules {
        let others = (0..300).map(|n| {
            json!({"id": format!("o{n}"), "decision": "deny", "program": format!("p{n}"), "path": format!("/n{n}/x"),
                   "host": format!("h{n}.example"), "content": format!("content-{n}-content")})
        });
        Rules::configure(json!({"rules": others.chain([rule]).collect::<Vec<_>>()})).unwrap()
    }

    fn decision(rules: &Rules, payload: Value, host: &impl Host) -> Option<Decision> {
        rules.handle(&event(&payload, None), host).unwrap().decision
    }

    #[test]
    fn a_rule_is_found_among_many_by_each_kind_of_condition() {
        let bash = |command: &str| json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}});
        let write = |path: &str, content: &str| json!({"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"file_path": path, "content": content}});
        let rows = [
            (json!({"program": "rm"}), bash("/bin/RM x")),
            (json!({"program": "py*"}), bash("python x")),
            (json!({"command": "git {push,pull} ..."}), bash("git pull")),
            (json!({"args": "push main"}), bash("git push origin main")),
            (json!({"flags": "--yes"}), bash("make --yes")),
            (json!({"via": "sudo"}), bash("sudo make")),
            (json!({"path": "*.pem"}), bash("cat k/a.pem")),
            (json!({"path": ".env"}), bash("cat .env")),
            (json!({"path": "~/.ssh"}), bash("rm -rf ~")),
            (json!({"path": "~/.ssh"}), bash("rm -rf /home")),
            (json!({"path": "~/.ssh"}), bash("mv /home/user /x")),
            (json!({"path": "/srv/db/live/*.sql"}), bash("rm -r /srv/db")),
            (json!({"path": "/srv/db/live/*.sql"}), bash("rm -r /")),
            (json!({"path": "src/gen"}), write("/home/user/demo/src/gen/deep/a", "")),
            (json!({"path": "src/**/x"}), write("SRC/a/X", "")),
            (
                json!({"host": "*.evil.example"}),
                bash("curl https://a.b.evil.example/"),
            ),
            (json!({"host": "*.evil.example"}), bash("curl https://EVIL.example/")),
            (json!({"host": "ev*"}), bash("curl https://evil.org")),
            (json!({"text": "a && b"}), bash("a && b")),
            (json!({"content": "abc"}), write("x", "..abc..")),
            (
                json!({"content": "a longer text"}),
                write("x", "here is a longer text."),
            ),
            (
                json!({"content": "regex:(?i)private\\s+key"}),
                write("x", "PRIVATE  KEY"),
            ),
            (json!({"content": "regex:a{3}bcd?e"}), write("x", "aaabce")),
            (json!({"content": "regex:[]x]abcdef"}), write("x", "]abcdef")),
            (json!({"content": "regex:[[:alpha:]qrst]u"}), write("x", "au")),
            (json!({"content": "regex:\\x41bcdefgh"}), write("x", "Abcdefgh")),
            (json!({"content": "regex:abcd|wxyz"}), write("x", "wxyz")),
            (
                json!({"prompt": "secret plan"}),
                json!({"hook_event_name": "UserPromptSubmit", "prompt": "the secret plan"}),
            ),
            (
                json!({"tool": "Task"}),
                json!({"hook_event_name": "PreToolUse", "tool_name": "Task", "tool_input": {}}),
            ),
            (json!({"event": "Stop"}), json!({"hook_event_name": "Stop"})),
        ];
        for (conditions, payload) in rows {
            let mut rule = conditions.clone();
            rule["id"] = json!("r");
            rule["decision"] = json!("deny");
            let host = TestHost::new(payload.clone());
            let found = decision(&among_many(rule), payload.clone(), &host);
            assert_eq!(found, Some(Decision::Deny), "{conditions} on {payload}");
        }
    }

    #[test]
    fn an_event_looks_at_few_of_many_rules() {
        let rules = (0..10_000).map(|n| {
            json!({"id": format!("r{n}"), "decision": "deny", "program": "curl", "host": format!("h{n}.example"), "args": "get"})
        });
        let rules = Rules::configure(json!({"rules": rules.collect::<Vec<_>>()})).unwrap();
        let (event, host) = (
            bash_event("curl get https://h77.example/ && rm -rf build"),
            TestHost::default(),
        );
        let analyses = crate::subject::analyses(&event, &host);
        let subjects = crate::subject::subjects(&event, &analyses, &host);
        let scene = crate::subject::Scene::new(&event, &host);
        assert_eq!(rules.index.candidates(&rules.rules, &scene, &subjects).len(), 1);
    }
}

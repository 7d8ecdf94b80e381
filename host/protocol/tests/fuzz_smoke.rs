//! The checks of the fuzz targets on their seeds and on mutations of them, with a stable compiler: the smoke run of `fuzz/`.
//!
//! The same inputs every time. `cargo xtask fuzz` looks longer, and follows what it finds.

#![allow(clippy::expect_used)] // The helpers of tests fail as tests do.

#[path = "../../../fuzz/checks/codec.rs"]
mod codec;
#[path = "../../../fuzz/checks/condition.rs"]
mod condition;
#[path = "../../../fuzz/checks/configuration.rs"]
mod configuration;
#[path = "../../../fuzz/checks/matcher.rs"]
mod matcher;
#[path = "../../../fuzz/checks/protocol.rs"]
mod protocol;
#[path = "../../../fuzz/checks/shell.rs"]
mod shell;

/// Mutations of each target's seeds.
const ROUNDS: usize = 300;
/// Pieces that the readers know, put where chance has it.
const PIECES: &[&str] = &[
    "\"", "'", "\\", "{", "}", "[", "]", "(", ")", "$(", "`", "<<E\n", "\n", ",", ":", "|", "*", "null", "\u{feff}",
    "é", "\0",
];

/// Numbers that look like chance and are the same every time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (limit.max(1) as u64)).unwrap_or(0)
    }

    fn mutated(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let mut input = seeds[self.below(seeds.len())].clone();
        for _ in 0..=self.below(4) {
            let (at, to) = (self.below(input.len() + 1), self.below(input.len() + 1));
            let (from, until) = (at.min(to), at.max(to));
            match self.below(5) {
                0 => drop(input.drain(from..until)),
                1 => drop(input.splice(at..at, PIECES[self.below(PIECES.len())].bytes())),
                2 => input.extend_from_within(from..until),
                3 => {
                    let other = &seeds[self.below(seeds.len())];
                    let part = other[self.below(other.len() + 1)..].to_vec();
                    drop(input.splice(at..at, part));
                }
                _ => input.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 0x15),
            }
        }
        input
    }
}

fn smoke(target: &str, check: fn(&[u8])) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    let mut files: Vec<_> = std::fs::read_dir(folder.join(target))
        .expect("the target has seeds")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.sort();
    let seeds: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(file).expect("a seed")).collect();
    assert!(!seeds.is_empty(), "{target} has no seeds");
    seeds.iter().for_each(|seed| check(seed));
    let mut chance = Chance(0x5eed);
    for _ in 0..ROUNDS {
        let input = chance.mutated(&seeds);
        // What a failing check says does not name its input.
        println!("{target}: {:?}", String::from_utf8_lossy(&input));
        check(&input);
    }
}

/// libFuzzer leaves out what is no UTF-8 where a target takes text; here it is repaired.
fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

#[test]
fn what_a_handler_prints() {
    smoke("codec", codec::check);
}

#[test]
fn an_if_rule_and_a_command() {
    smoke("condition", |data| condition::check(&text(data)));
}

#[test]
fn a_configuration_file() {
    smoke("configuration", |data| configuration::check(&text(data)));
}

#[test]
fn a_matcher_and_a_value() {
    smoke("matcher", |data| matcher::check(&text(data)));
}

#[test]
fn a_request() {
    smoke("protocol", |data| protocol::check(&text(data)));
}

#[test]
fn a_command_line() {
    smoke("shell", |data| shell::check(&text(data)));
}

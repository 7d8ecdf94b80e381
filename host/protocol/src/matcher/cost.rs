//! How long a backtracking engine could take on an expression: an upper bound, from its text.
//!
//! The engine has no budget of its own, so values too long for an expression are never given to it. `(a+)+$` on thirty letters
//! would try a thousand million ways; `.*x.*y` on any tool's name a few thousand.

/// As many ways (a power of two) may be tried.
const BITS: f64 = 24.0;
/// Longer expressions are not compiled, and deeper ones neither: the compiler recurses.
const LONGEST_PATTERN: usize = 1_024;
const DEEPEST: usize = 48;
/// A repetition of more is refused: the engine keeps no more than it has to, but the cap costs nobody anything.
const MOST_REPEATS: f64 = 256.0;
/// No value is longer than this for any expression.
const LONGEST_VALUE: usize = 4_096;
/// Names of tools are at most so long: an expression that cannot take a name of this length is worth a word.
pub(super) const USUAL_NAME: usize = 64;

/// How many ways a part can be matched, on a value of n bytes: 2^(bits + per_byte · n) · (places in n for `ends` ends).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Ways {
    bits: f64,
    ends: f64,
    per_byte: f64,
    /// Rounds that are counted out without a choice, as a power of two.
    rounds: f64,
}

impl Ways {
    fn then(self, next: Ways) -> Ways {
        Ways {
            bits: self.bits + next.bits,
            ends: self.ends + next.ends,
            per_byte: self.per_byte + next.per_byte,
            rounds: self.rounds.max(next.rounds),
        }
    }

    fn or(self, other: Ways) -> Ways {
        let (high, low) = (self.bits.max(other.bits), self.bits.min(other.bits));
        Ways {
            bits: high + (1.0 + (low - high).exp2()).log2(),
            ends: self.ends.max(other.ends),
            per_byte: self.per_byte.max(other.per_byte),
            rounds: self.rounds.max(other.rounds),
        }
    }

    fn repeated(self, min: f64, max: f64) -> Ways {
        if max <= 1.0 {
            return Ways {
                bits: self.bits + 1.0,
                ..self
            };
        }
        let simple = self
            == Ways {
                rounds: self.rounds,
                ..Ways::default()
            };
        let counted = if max.is_infinite() { min } else { max };
        let rounds = self.rounds + counted.max(1.0).log2();
        match (simple, max.is_infinite()) {
            (true, true) => Ways {
                ends: 1.0,
                rounds,
                ..self
            },
            (true, false) => Ways {
                bits: (max - min + 1.0).log2(),
                rounds,
                ..self
            },
            // Each byte may begin a new round, in any of the body's ways.
            (false, true) => {
                let per_byte = self.per_byte + self.bits + (self.ends + 2.0).log2();
                Ways {
                    per_byte,
                    rounds,
                    ..Ways::default()
                }
            }
            (false, false) => Ways {
                bits: self.bits * max + (max - min + 1.0).log2(),
                ends: self.ends * max,
                per_byte: self.per_byte * max,
                rounds,
            },
        }
    }

    /// Ways on a value of `n` bytes, as a power of two; the start of the match is one more end.
    pub(super) fn on(self, n: usize) -> f64 {
        let n = n as f64;
        let k = self.ends + 1.0;
        // Places for k ends in order: C(n + k, k), as a sum of logarithms; beyond 64 ends the answer is no anyhow.
        let mut places = 0.0;
        let mut i = 1.0;
        while i <= k.min(64.0) {
            places += ((n + i) / i).log2();
            i += 1.0;
        }
        self.bits + self.rounds + self.per_byte * n + places
    }
}

/// The ways of an expression; none where it must not even be compiled.
pub(super) fn ways(pattern: &str) -> Option<Ways> {
    if pattern.len() > LONGEST_PATTERN {
        return None;
    }
    let mut reader = Reader {
        text: pattern.as_bytes(),
        at: 0,
        depth: 0,
        refused: false,
    };
    let mut ways = reader.alternatives();
    // A bracket too many ends the reading early; the expression is invalid, or its rest counts as well.
    while reader.at < reader.text.len() && !reader.refused {
        reader.at += 1;
        ways = ways.then(reader.alternatives());
    }
    (!reader.refused && ways.on(1).is_finite() && ways.on(1) <= BITS).then_some(ways)
}

/// The longest value (in bytes) that the expression may be tested against.
pub(super) fn longest_value(ways: Ways) -> usize {
    let (mut fits, mut over) = (1, LONGEST_VALUE + 1);
    while over - fits > 1 {
        let middle = fits.midpoint(over);
        if ways.on(middle) <= BITS {
            fits = middle;
        } else {
            over = middle;
        }
    }
    fits
}

/// Walks over an expression without judging whether it is valid.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    depth: usize,
    refused: bool,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn alternatives(&mut self) -> Ways {
        self.depth += 1;
        if self.depth > DEEPEST {
            self.refused = true;
            self.at = self.text.len();
            return Ways::default();
        }
        let mut all = self.sequence();
        while self.peek() == Some(b'|') {
            self.at += 1;
            all = all.or(self.sequence());
        }
        self.depth -= 1;
        all
    }

    fn sequence(&mut self) -> Ways {
        let mut ways = Ways::default();
        while let Some(byte) = self.peek() {
            let atom = match byte {
                b'|' | b')' => break,
                b'(' => self.group(),
                b'[' => self.class(),
                b'\\' => {
                    self.at += 2;
                    Ways::default()
                }
                _ => {
                    self.at += 1;
                    Ways::default()
                }
            };
            ways = ways.then(self.quantified(atom));
        }
        ways
    }

    fn group(&mut self) -> Ways {
        self.at += 1;
        if self.peek() == Some(b'?') {
            // (?: (?= (?! (?<= (?<! (?<name>: what they mean does not change how they are counted.
            self.at += 2;
        }
        let ways = self.alternatives();
        self.at += 1;
        ways
    }

    fn class(&mut self) -> Ways {
        self.at += 1;
        while let Some(byte) = self.peek() {
            match byte {
                b'\\' => self.at += 2,
                b']' => break,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Ways::default()
    }

    fn quantified(&mut self, mut atom: Ways) -> Ways {
        while let Some((min, max, length)) = self.quantifier() {
            self.at += length;
            if max.is_finite() && max > MOST_REPEATS || min > MOST_REPEATS {
                self.refused = true;
            }
            atom = atom.repeated(min, max);
            if self.peek() == Some(b'?') {
                self.at += 1;
            }
        }
        atom
    }

    /// The quantifier here: least, most, and its length in bytes.
    fn quantifier(&self) -> Option<(f64, f64, usize)> {
        match self.peek()? {
            b'*' => Some((0.0, f64::INFINITY, 1)),
            b'+' => Some((1.0, f64::INFINITY, 1)),
            b'?' => Some((0.0, 1.0, 1)),
            b'{' => {
                let rest = self.text.get(self.at + 1..)?;
                let length = rest.iter().position(|byte| *byte == b'}')?;
                let inside = std::str::from_utf8(rest.get(..length)?).ok()?;
                let (min, max) = match inside.split_once(',') {
                    None => (inside, inside),
                    Some((min, "")) => (min, "inf"),
                    Some(range) => range,
                };
                let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
                let (least, most) = (min.parse::<f64>().ok()?, max.parse::<f64>().ok()?);
                (digits(min) && (max == "inf" || digits(max))).then_some((least, most.max(least), length + 2))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn longest_value(pattern: &str) -> usize {
        ways(pattern).map_or(0, super::longest_value)
    }

    #[test]
    fn expressions_that_people_write_take_every_usual_name() {
        for pattern in [
            "^Bash$",
            ".*",
            "Edit.*",
            "mcp__.*",
            "mcp__.*__write.*",
            "^(?!(Glob|Grep|Read)$).*",
            "Bash(?!Output)",
            "^(Edit|Write|MultiEdit)$",
            "mcp__(github|gitlab)__(create|update|delete)_.*",
            "^mcp__[^_]+__.*(write|delete).*$",
            "(Edit|Write)|(Bash|mcp__.*)",
            "^[A-Z][a-z]+([A-Z][a-z]+)?$",
            "tool == \"Edit\" || tool == \"Write\"",
        ] {
            assert!(
                longest_value(pattern) >= USUAL_NAME,
                "{pattern}: {}",
                longest_value(pattern)
            );
        }
    }

    #[test]
    fn expressions_that_explode_take_short_values_only() {
        for pattern in [
            "(a+)+$",
            "(a*)*$",
            "(a|a)*$",
            "(a|aa)+$",
            "^(([a-z])+.)+[A-Z]([a-z])+$",
            "(.*)*x",
            "((a+)+)+b",
            "(a?){40}b",
            "(a{1,20}){1,20}b",
            ".*a.*b.*c.*d.*e.*f.*g.*h",
            "(?:a|b|ab)*c",
            "(x+x+)+y",
        ] {
            assert!(
                longest_value(pattern) < USUAL_NAME,
                "{pattern}: {}",
                longest_value(pattern)
            );
        }
    }

    #[test]
    fn what_the_compiler_could_choke_on_is_not_compiled() {
        for pattern in [
            "(".repeat(2_000),
            "a".repeat(5_000),
            "a{1000000}".to_owned(),
            "(((a{900}){900}){900})".to_owned(),
        ] {
            assert_eq!(longest_value(&pattern), 0, "{}", &pattern[..20]);
        }
    }
}

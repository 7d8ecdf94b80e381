//! The pattern of a rule: which command lines of one program it means.
//!
//! A pattern is words: `docker|podman system prune -f|--force !--dry-run`. The first names the programs. Then
//!
//! | token | meaning |
//! |---|---|
//! | `word`, `a\|b`, `delete-*` | the next operand; options and what may be their values stand between freely |
//! | `*` | the next operand, whatever it is |
//! | `**` | any number of operands, up to a verb that only looks or makes (`describe`, `create`): what follows is a name |
//! | `$` | there are no further operands |
//! | `-f\|--force` | one of these options is set, anywhere |
//! | `!-n\|--dry-run` | none of these options is set |
//! | `@glob\|glob` | some word matches |
//! | `!@glob` | no word matches |

use crate::words::{dashed, is_option, sets, wild};
use hookbox_sdk::Word;

/// Verbs that only look or make something new: what follows them is a name.
const LOOKS: [&str; 13] = [
    "cat", "create", "describe", "diff", "explain", "get", "help", "inspect", "list", "ls", "publish", "show", "view",
];

/// A pattern, read.
#[derive(Clone, Debug, Default)]
pub struct Pattern<'a> {
    sequence: Vec<Step<'a>>,
    /// Each: one of these must hold.
    needs: Vec<Test<'a>>,
    refuses: Vec<Test<'a>>,
}

#[derive(Clone, Debug)]
enum Step<'a> {
    Operand(Vec<&'a str>),
    Gap,
    End,
}

#[derive(Clone, Debug)]
enum Test<'a> {
    Option(Vec<&'a str>),
    Word(Vec<&'a str>),
}

impl<'a> Test<'a> {
    fn new(text: &'a str) -> Self {
        match text.strip_prefix('@') {
            Some(globs) => Test::Word(globs.split('|').collect()),
            None => Test::Option(text.split('|').collect()),
        }
    }

    fn holds(&self, args: &[Word]) -> bool {
        match self {
            Test::Option(names) => args
                .iter()
                .take_while(|word| word.text != "--")
                .any(|word| names.iter().any(|name| sets(&dashed(&word.text), name))),
            Test::Word(globs) => args.iter().any(|word| globs.iter().any(|glob| wild(glob, &word.text))),
        }
    }
}

impl Test<'_> {
    /// Whether a long option is set to `none` or `false` somewhere: `--dry-run=client --dry-run=none` is no trial.
    fn is_taken_back(&self, args: &[Word]) -> bool {
        let Test::Option(names) = self else { return false };
        names.iter().any(|name| {
            args.iter().any(|word| {
                name.len() > 2
                    && word.text.strip_prefix(name).is_some_and(|rest| rest.starts_with('='))
                    && !sets(&word.text, name)
            })
        })
    }
}

impl<'a> Pattern<'a> {
    /// A pattern without its programs.
    pub fn parse(text: &'a str) -> Self {
        let mut pattern = Pattern::default();
        for token in text.split_ascii_whitespace() {
            match token {
                "**" => pattern.sequence.push(Step::Gap),
                "$" => pattern.sequence.push(Step::End),
                _ if token.starts_with('!') => pattern.refuses.push(Test::new(&token[1..])),
                _ if token.starts_with(['-', '@']) => pattern.needs.push(Test::new(token)),
                _ => pattern.sequence.push(Step::Operand(token.split('|').collect())),
            }
        }
        pattern
    }

    pub fn matches(&self, args: &[Word]) -> bool {
        self.needs.iter().all(|test| test.holds(args))
            && !self
                .refuses
                .iter()
                .any(|test| test.holds(args) && !test.is_taken_back(args))
            && self.in_sequence(args)
    }

    /// A walk over the words with the set of steps that may come next: linear, whatever the words are. A word after an
    /// option without `=` may be its value or an operand; both are followed.
    fn in_sequence(&self, args: &[Word]) -> bool {
        let last = self.sequence.len();
        let mut at = vec![false; last + 1];
        at[0] = true;
        let (mut after_option, mut options) = (false, true);
        for word in args {
            self.pass_gaps(&mut at);
            if at[last] {
                return true;
            }
            let text = dashed(&word.text);
            if options && text == "--" {
                (after_option, options) = (false, false);
                continue;
            }
            if options && is_option(&text) {
                after_option = !text.contains('=');
                continue;
            }
            let mut next = vec![false; last + 1];
            for (step, here) in at.iter().enumerate().take(last) {
                if !here {
                    continue;
                }
                match &self.sequence[step] {
                    Step::Operand(words) if words.iter().any(|pattern| wild(pattern, &text)) => next[step + 1] = true,
                    Step::Gap => next[step] = !LOOKS.contains(&&*text),
                    _ => {}
                }
                if after_option {
                    next[step] = true;
                }
            }
            after_option = false;
            at = next;
        }
        self.pass_gaps(&mut at);
        at[last] || (last > 0 && at[last - 1] && matches!(self.sequence[last - 1], Step::End))
    }

    fn pass_gaps(&self, at: &mut [bool]) {
        for step in 0..self.sequence.len() {
            if at[step] && matches!(self.sequence[step], Step::Gap) {
                at[step + 1] = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, line: &str) -> bool {
        let word = |text: &str| Word {
            text: text.into(),
            known: true,
            glob: false,
        };
        let words: Vec<Word> = line.split(' ').skip(1).map(word).collect();
        Pattern::parse(pattern.split_once(' ').unwrap().1).matches(&words)
    }

    #[test]
    fn operands_follow_each_other_with_options_between() {
        assert!(matches(
            "kubectl delete namespace|ns",
            "kubectl --context prod delete -n x ns web"
        ));
        assert!(matches("aws s3 rb", "aws --region s3 s3 rb s3://b"));
        assert!(!matches("docker system prune", "docker run ubuntu system prune"));
        assert!(!matches("kubectl delete namespace", "kubectl get namespace delete"));
    }

    #[test]
    fn gaps_ends_and_tests() {
        assert!(matches("x ** delete", "x a b delete c") && matches("x ** delete", "x delete"));
        assert!(!matches("x ** delete", "x vm show delete") && matches("x ** delete", "x list-of delete"));
        assert!(matches("x * delete", "x a delete") && !matches("x * delete", "x delete"));
        assert!(matches("x up $", "x up -d") && !matches("x up $", "x up web"));
        assert!(
            matches("x prune -a|--all !--dry-run", "x prune -fa")
                && !matches("x prune -a !--dry-run", "x prune -a --dry-run")
        );
        assert!(matches("dd @of=/dev/*", "dd if=x of=/dev/sda") && !matches("dd @of=/dev/*", "dd of=x"));
    }

    #[test]
    fn what_follows_two_dashes_is_no_option() {
        assert!(!matches("x rm -f", "x rm -- -f"));
    }
}

//! Globs of settings, of search tools and of shell words. Bounded: a pattern is tried against a text in
//! pattern × text steps, and braces expand to at most [`MAX_BRACES`] patterns.

/// How many patterns the braces of one glob may stand for; what is beyond is not looked at.
pub const MAX_BRACES: usize = 64;

/// The patterns that `{a,b}` stands for.
pub fn braces(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut todo = vec![pattern.to_string()];
    while let Some(next) = todo.pop() {
        if done.len() + todo.len() >= MAX_BRACES {
            done.push(next);
            continue;
        }
        match alternatives(&next) {
            Some((before, parts, after)) => {
                todo.extend(parts.iter().rev().map(|part| format!("{before}{part}{after}")));
            }
            None => done.push(next),
        }
    }
    done
}

/// The innermost-first brace group of a pattern that has a comma.
fn alternatives(pattern: &str) -> Option<(&str, Vec<&str>, &str)> {
    let bytes = pattern.as_bytes();
    let mut opened = Vec::new();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'{' => opened.push(at),
            b'}' => {
                let Some(start) = opened.pop() else { continue };
                let inner = &pattern[start + 1..at];
                if inner.contains(',') {
                    return Some((&pattern[..start], inner.split(',').collect(), &pattern[at + 1..]));
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether `text` is one of what `pattern` names. `*` stays inside a folder, `**` does not; `?` is one character,
/// `[…]` one of a set, `{a,b}` alternatives.
pub fn matches(pattern: &str, text: &str) -> bool {
    braces(pattern).iter().any(|pattern| {
        let pattern: Vec<char> = pattern.chars().collect();
        let text: Vec<char> = text.chars().collect();
        matches_one(&pattern, &text)
    })
}

/// Whether a shell would expand the path `pattern` to `path`: part by part, and a leading dot must be written.
pub fn expands_to(pattern: &str, path: &str) -> bool {
    let (patterns, parts) = (pattern.split('/'), path.split('/'));
    patterns.clone().count() == parts.clone().count()
        && patterns.zip(parts).all(|(pattern, part)| {
            (!part.starts_with('.') || pattern.starts_with(['.', '['])) && (pattern == part || matches(pattern, part))
        })
}

/// One step of a pattern.
enum Step {
    /// Matches the next character; how many characters of the pattern it takes.
    One(usize),
    No,
    /// Any run, and whether it may cross `/`; how many characters of the pattern it takes.
    Run(usize, bool),
    End,
}

fn step(pattern: &[char], next: Option<char>) -> Step {
    match pattern.first() {
        None => Step::End,
        Some('*') => {
            let stars = pattern.iter().take_while(|c| **c == '*').count();
            // `**/` also stands for no folder at all.
            let slash = stars > 1 && pattern.get(stars) == Some(&'/');
            Step::Run(stars + usize::from(slash), stars > 1)
        }
        Some('?') => {
            if next.is_some_and(|c| c != '/') {
                Step::One(1)
            } else {
                Step::No
            }
        }
        Some('[') => match (set(pattern), next) {
            (Some((length, members, negated)), Some(c)) => {
                if c != '/' && contains(&members, c) != negated {
                    Step::One(length)
                } else {
                    Step::No
                }
            }
            (None, Some('[')) => Step::One(1),
            _ => Step::No,
        },
        Some('\\') if pattern.len() > 1 => {
            if next == Some(pattern[1]) {
                Step::One(2)
            } else {
                Step::No
            }
        }
        Some(c) => {
            if next == Some(*c) {
                Step::One(1)
            } else {
                Step::No
            }
        }
    }
}

/// A `[…]`: its length, its members, whether it is negated.
fn set(pattern: &[char]) -> Option<(usize, Vec<char>, bool)> {
    let negated = matches!(pattern.get(1), Some('!' | '^'));
    let start = 1 + usize::from(negated);
    let end = (start + 1..pattern.len()).find(|at| pattern[*at] == ']')?;
    Some((end + 1, pattern[start..end].to_vec(), negated))
}

fn contains(members: &[char], c: char) -> bool {
    let ranges = members.windows(3).any(|w| w[1] == '-' && w[0] <= c && c <= w[2]);
    ranges || members.contains(&c)
}

fn matches_one(pattern: &[char], text: &[char]) -> bool {
    let (mut p, mut t) = (0, 0);
    // Where to go back to: the pattern after a run, the text position, whether the run may cross `/`. The last `*` and
    // the last `**` are enough: what an earlier one could still do, a later one can do too.
    let mut star: Option<(usize, usize)> = None;
    let mut globstar: Option<(usize, usize)> = None;
    loop {
        match step(&pattern[p..], text.get(t).copied()) {
            Step::One(length) => {
                p += length;
                t += 1;
                continue;
            }
            Step::Run(length, crosses) => {
                p += length;
                if crosses {
                    (globstar, star) = (Some((p, t)), None);
                } else {
                    star = Some((p, t));
                }
                continue;
            }
            Step::End if t == text.len() => return true,
            Step::End | Step::No => {}
        }
        if let Some((after, from)) = star
            && text.get(from).is_some_and(|c| *c != '/')
        {
            (p, t) = (after, from + 1);
            star = Some((after, from + 1));
        } else if let Some((after, from)) = globstar
            && from < text.len()
        {
            (p, t, star) = (after, from + 1, None);
            globstar = Some((after, from + 1));
        } else {
            return false;
        }
    }
}

/// Of a pattern, how many characters stand for themselves.
pub fn literals(pattern: &str) -> usize {
    let mut inside_set = false;
    let counts = pattern.chars().filter(|c| {
        match c {
            '[' => inside_set = true,
            ']' => inside_set = false,
            _ => {}
        }
        !inside_set && !matches!(c, '*' | '?' | ']' | '\\')
    });
    counts.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stays_in_its_folder_and_two_do_not() {
        assert!(matches("src/*.rs", "src/a.rs") && !matches("src/*.rs", "src/b/a.rs"));
        assert!(matches("**/*.pem", "a/b/c.pem") && matches("**/*.pem", "c.pem") && matches("a/**", "a/b/c"));
        assert!(matches("/srv/**/x/*", "/srv/a/b/x/y") && !matches("/srv/**/x/*", "/srv/a/b/y"));
    }

    #[test]
    fn sets_marks_and_braces() {
        assert!(matches(".[e]nv", ".env") && matches(".??v", ".env") && matches(".e[l-o]v", ".env"));
        assert!(!matches(".[!e]nv", ".env") && matches("[", "["));
        assert!(matches("{.env.local,zzz.ts}", ".env.local") && matches("{a,{b,c}}.x", "c.x"));
        assert!(!matches("{a,b}", "c"));
    }

    #[test]
    fn a_shell_wants_the_leading_dot() {
        assert!(expands_to("/a/.cl*/*.json", "/a/.claude/settings.json") && expands_to("/a/.[c]laude", "/a/.claude"));
        assert!(!expands_to("/a/*", "/a/.claude") && !expands_to("/a/*", "/a/b/c"));
    }

    #[test]
    fn a_hostile_pattern_ends() {
        let pattern = "*a".repeat(200);
        assert!(!matches(&pattern, &"a".repeat(5_000).replace('a', "ab")));
        assert!(braces(&"{a,b}".repeat(30)).len() <= MAX_BRACES + 1);
    }
}

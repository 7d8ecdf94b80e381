//! Pattern matching, as `${x#pattern}`, `${x/pattern/}` and `case` do it.

/// Whether all of `text` matches. A backslash quotes the next character of the pattern.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    match_chars(&pattern, &text)
}

/// The usual walk with one point to come back to: linear in practice, never worse than the product of the lengths.
fn match_chars(pattern: &[char], text: &[char]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        if pattern.get(p) == Some(&'*') {
            star = Some((p + 1, t));
            p += 1;
            continue;
        }
        match one(pattern, p, text[t]) {
            Some(next) => {
                p = next;
                t += 1;
            }
            None => match star {
                Some((after, from)) => {
                    star = Some((after, from + 1));
                    p = after;
                    t = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p.min(pattern.len())..].iter().all(|char| *char == '*')
}

/// Where the pattern goes on if the part at `p` takes `char`.
fn one(pattern: &[char], p: usize, char: char) -> Option<usize> {
    match *pattern.get(p)? {
        '?' => Some(p + 1),
        '\\' => (*pattern.get(p + 1)? == char).then_some(p + 2),
        '[' => match class(pattern, p, char) {
            Some((true, next)) => Some(next),
            Some((false, _)) => None,
            None => (char == '[').then_some(p + 1),
        },
        literal => (literal == char).then_some(p + 1),
    }
}

/// Whether the class at `p` holds `char`, and where it ends; none where it does not end.
fn class(pattern: &[char], p: usize, char: char) -> Option<(bool, usize)> {
    let mut at = p + 1;
    let negated = matches!(pattern.get(at), Some('!' | '^'));
    at += usize::from(negated);
    let mut found = false;
    let mut first = true;
    loop {
        let mut low = *pattern.get(at)?;
        if low == ']' && !first {
            return Some((found != negated, at + 1));
        }
        first = false;
        if low == '[' && pattern.get(at + 1) == Some(&':') {
            let end = (at + 2..pattern.len()).find(|end| pattern[*end] == ':' && pattern.get(end + 1) == Some(&']'))?;
            let name: String = pattern[at + 2..end].iter().collect();
            found |= named(&name, char);
            at = end + 2;
            continue;
        }
        if low == '\\' {
            at += 1;
            low = *pattern.get(at)?;
        }
        at += 1;
        if pattern.get(at) == Some(&'-') && pattern.get(at + 1).is_some_and(|high| *high != ']') {
            let high = *pattern.get(at + 1)?;
            found |= (low..=high).contains(&char);
            at += 2;
        } else {
            found |= low == char;
        }
    }
}

fn named(name: &str, char: char) -> bool {
    match name {
        "alpha" => char.is_alphabetic(),
        "digit" => char.is_ascii_digit(),
        "alnum" => char.is_alphanumeric(),
        "space" => char.is_whitespace(),
        "blank" => matches!(char, ' ' | '\t'),
        "upper" => char.is_uppercase(),
        "lower" => char.is_lowercase(),
        "punct" => char.is_ascii_punctuation(),
        "xdigit" => char.is_ascii_hexdigit(),
        "print" | "graph" => !char.is_control(),
        "cntrl" => char.is_control(),
        _ => false,
    }
}

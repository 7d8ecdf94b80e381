//! "Did you mean": the nearest of a list of names.

/// Longer names are not compared: they are no misspelling of a short one.
const LONGEST: usize = 64;

/// The name of `names` that `written` most likely meant: the same but for case and separators, or a few letters away.
/// None where nothing is near, and where `written` is one of them.
pub fn nearest<'a>(written: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if written.is_empty() || written.len() > LONGEST {
        return None;
    }
    let plain = plain(written);
    let allowed = match plain.len() {
        0..=2 => 0,
        3..=4 => 1,
        5..=9 => 2,
        _ => 3,
    };
    names
        .into_iter()
        .filter(|name| *name != written && name.len() <= LONGEST)
        .map(|name| (distance(&plain, &self::plain(name)), name))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

fn plain(name: &str) -> Vec<char> {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Edits (insert, delete, replace, swap of neighbours) from one to the other.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut best = (above[j] + usize::from(x != y)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().unwrap_or(a.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_finds_the_one_that_was_meant() {
        let names = [
            "PreToolUse",
            "PostToolUse",
            "Stop",
            "SubagentStop",
            "onFailure",
            "if",
            "timeout",
        ];
        for (written, meant) in [
            ("preToolUse", Some("PreToolUse")),
            ("pre_tool_use", Some("PreToolUse")),
            ("PreToolUsed", Some("PreToolUse")),
            ("PerToolUse", Some("PreToolUse")),
            ("on_failure", Some("onFailure")),
            ("timeOut", Some("timeout")),
            ("Sotp", Some("Stop")),
            ("Stop", None),
            ("SomeFutureEvent", None),
            ("of", None),
            ("", None),
        ] {
            assert_eq!(nearest(written, names), meant, "{written}");
        }
    }
}

//! Brace expansion: `{a,b}`, `{1..9}`, `{a..e..2}`, nested, with everything around them.

use super::Unit;

/// Words that one word may become.
const MAX_PRODUCTS: usize = 512;
/// Units that all of them may hold together.
const MAX_UNITS: usize = 64 * 1024;

/// The words that `units` stand for; none where there would be too many.
pub(super) fn expand(units: Vec<Unit>) -> Option<Vec<Vec<Unit>>> {
    if !units.contains(&Unit::Plain('{')) {
        return Some(vec![units]);
    }
    let mut work = 0;
    expand_at(&units, &mut work, 0)
}

fn expand_at(units: &[Unit], work: &mut usize, depth: usize) -> Option<Vec<Vec<Unit>>> {
    *work += units.len() + 1;
    if *work > MAX_UNITS || depth > 64 {
        return None;
    }
    let mut from = 0;
    while let Some(open) = position(units, from, '{') {
        let Some((close, commas)) = group(units, open) else {
            from = open + 1;
            continue;
        };
        let inside = &units[open + 1..close];
        let alternatives: Vec<Vec<Unit>> = if commas.is_empty() {
            match sequence(inside) {
                Some(items) => items,
                None => {
                    from = open + 1;
                    continue;
                }
            }
        } else {
            let mut starts = vec![open + 1];
            starts.extend(commas.iter().map(|comma| comma + 1));
            let ends = commas.iter().copied().chain([close]);
            let mut items = Vec::new();
            for (start, end) in starts.into_iter().zip(ends) {
                items.extend(expand_at(&units[start..end], work, depth + 1)?);
            }
            items
        };
        let tails = expand_at(&units[close + 1..], work, depth + 1)?;
        if alternatives.len().saturating_mul(tails.len()) > MAX_PRODUCTS {
            return None;
        }
        let mut products = Vec::with_capacity(alternatives.len() * tails.len());
        for alternative in &alternatives {
            for tail in &tails {
                *work += open + alternative.len() + tail.len();
                if *work > MAX_UNITS {
                    return None;
                }
                products.push([&units[..open], alternative, tail].concat());
            }
        }
        return Some(products);
    }
    Some(vec![units.to_vec()])
}

fn position(units: &[Unit], from: usize, wanted: char) -> Option<usize> {
    (from..units.len()).find(|at| units[*at] == Unit::Plain(wanted))
}

/// The brace that closes the one at `open`, and the commas between them.
fn group(units: &[Unit], open: usize) -> Option<(usize, Vec<usize>)> {
    let mut depth = 0usize;
    let mut commas = Vec::new();
    for (at, unit) in units.iter().enumerate().skip(open) {
        match unit {
            Unit::Plain('{') => depth += 1,
            Unit::Plain('}') => {
                depth -= 1;
                if depth == 0 {
                    return Some((at, commas));
                }
            }
            Unit::Plain(',') if depth == 1 => commas.push(at),
            _ => {}
        }
    }
    None
}

/// `1..9`, `01..10`, `a..e`, each with an optional step.
fn sequence(inside: &[Unit]) -> Option<Vec<Vec<Unit>>> {
    let text: String = inside
        .iter()
        .map(|unit| match unit {
            Unit::Plain(char) => Some(*char),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let parts: Vec<&str> = text.split("..").collect();
    let (from, to, step) = match parts[..] {
        [from, to] => (from, to, "1"),
        [from, to, step] => (from, to, step),
        _ => return None,
    };
    let step = step.parse::<i64>().ok()?.unsigned_abs().max(1);
    let single = |text: &str| {
        let mut chars = text.chars();
        chars
            .next()
            .filter(|char| chars.next().is_none() && char.is_ascii_alphabetic())
    };
    let (start, end, width, letters) = match (single(from), single(to)) {
        (Some(from), Some(to)) => (i64::from(u32::from(from)), i64::from(u32::from(to)), 0, true),
        _ => {
            let padded = |text: &str| text.trim_start_matches('-').starts_with('0') && text.len() > 1;
            let width = if padded(from) || padded(to) {
                from.len().max(to.len())
            } else {
                0
            };
            (from.parse().ok()?, to.parse().ok()?, width, false)
        }
    };
    let count = start.abs_diff(end) / step + 1;
    let mut items = Vec::new();
    for index in 0..count.min(MAX_PRODUCTS as u64 + 1) {
        let offset = i64::try_from(index.checked_mul(step)?).ok()?;
        let value = if start <= end {
            start.checked_add(offset)?
        } else {
            start.checked_sub(offset)?
        };
        let text = if letters {
            char::from_u32(u32::try_from(value).ok()?)?.to_string()
        } else if value < 0 {
            format!("-{:0width$}", value.unsigned_abs(), width = width.saturating_sub(1))
        } else {
            format!("{value:0width$}")
        };
        items.push(text.chars().map(Unit::Quoted).collect());
    }
    Some(items)
}

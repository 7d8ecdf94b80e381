//! Where the parser's tree does not say what the source says: found by laying the one on the other.
//!
//! The parser calls a few rare lines clean that it has cut in the wrong place. What it lost would run unseen, so every word and
//! every command is checked for source that no part of the tree stands for.

use std::ops::Range;

use shuck_ast::{
    Heredoc, Redirect, RedirectKind, RedirectTarget, SimpleCommand, Span, Stmt, Word, WordPart, WordPartNode,
};

/// The parts of a quoted text with the source of each. The parser ends a literal early behind escaped quotes: a literal is
/// all that lies between its neighbours.
pub(crate) fn tiles<'t>(
    parts: &'t [WordPartNode],
    within: Range<usize>,
    source: &'t str,
) -> impl Iterator<Item = (&'t WordPartNode, &'t str)> {
    let mut from = within.start;
    parts.iter().enumerate().map(move |(index, part)| {
        let own = range(part.span);
        let to = parts.get(index + 1).map_or(within.end, |next| next.span.start.offset());
        let tile = from..to;
        let literal = matches!(part.kind, WordPart::Literal(_)) && !own.is_empty();
        let slice = source
            .get(tile.clone())
            .filter(|_| literal && tile.start <= own.start && own.end <= tile.end);
        from = slice.map_or(own.end, |_| tile.end);
        (part, slice.unwrap_or_else(|| part.span.slice(source)))
    })
}

/// The inside of a double-quoted part, `"…"` or `$"…"`.
pub(crate) fn inside(part: &WordPartNode, source: &str) -> Range<usize> {
    let whole = range(part.span);
    let text = part.span.slice(source);
    let opening = if text.starts_with('$') { 2 } else { 1 };
    match text.len() > opening && text.ends_with('"') {
        true => whole.start + opening..whole.end - 1,
        false => whole,
    }
}

/// Whether a word holds what would have ended it: a blank, or an operator that is not quoted.
pub(crate) fn is_word(word: &Word, source: &str) -> bool {
    word.parts.iter().all(|part| match &part.kind {
        WordPart::Literal(_) => is_literal(part.span.slice(source)),
        _ => true,
    })
}

fn is_literal(text: &str) -> bool {
    if !text.bytes().any(|byte| b" \t\n;&|()`".contains(&byte)) {
        return true;
    }
    let mut chars = text.chars();
    let (mut before, mut open) = (' ', 0_u32);
    while let Some(char) = chars.next() {
        match char {
            '\\' => drop(chars.next()),
            // `@(a|b)`, `[^()]`
            '(' if open > 0 || "?*+@!".contains(before) => open += 1,
            ')' if open > 0 => open -= 1,
            '|' if open > 0 => {}
            ' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')' | '`' => return false,
            _ => {}
        }
        before = char;
    }
    true
}

/// Whether all source between the first and the last word of a command belongs to one of its parts.
pub(crate) fn is_whole(stmt: &Stmt, command: &SimpleCommand, source: &str) -> bool {
    let heredoc = |target: &RedirectTarget| matches!(target, RedirectTarget::Heredoc(_));
    if stmt.redirects.iter().any(|redirect| heredoc(&redirect.target)) {
        // Its body lies between the words.
        return true;
    }
    let mut spans: Vec<Range<usize>> = std::iter::once(command.name.span)
        .chain(command.args.iter().map(|word| word.span))
        .chain(command.assignments.iter().map(|assignment| assignment.span))
        .chain(stmt.redirects.iter().map(|redirect| redirect.span))
        .map(range)
        .filter(|span| !span.is_empty())
        .collect();
    spans.sort_by_key(|span| span.start);
    spans.windows(2).all(|pair| {
        let gap = source.get(pair[0].end..pair[1].start).unwrap_or("");
        // `{name}>file`, a descriptor's number, and a line that goes on.
        gap.bytes()
            .all(|byte| b" \t\\\r\n".contains(&byte) || byte.is_ascii_digit())
    })
}

/// Whether `source` may hold a heredoc: `<<`, and no third `<`.
pub(crate) fn opens_heredoc(source: &str) -> bool {
    source
        .split("<<<")
        .any(|piece| piece.contains("<<") || piece.contains("<\\\n<"))
}

/// Whether the parser has ended a heredoc at a line that bash reads as part of it: the delimiter with blanks behind it.
pub(crate) fn ends_early(heredoc: &Heredoc, source: &str) -> bool {
    let rest = source.get(heredoc.body.span.end.offset()..).unwrap_or("");
    let line = rest.split('\n').next().unwrap_or(rest);
    let line = if heredoc.delimiter.strip_tabs {
        line.trim_start_matches('\t')
    } else {
        line
    };
    line.strip_prefix(heredoc.delimiter.cooked.as_str())
        .is_some_and(|more| !more.is_empty() && more.trim().is_empty())
}

/// Of each redirection the argument that the parser takes for a word, and bash for its descriptor: the `3` of `3<<< text`.
pub(crate) fn descriptors(command: &SimpleCommand, redirects: &[Redirect], source: &str) -> Vec<Option<(usize, i32)>> {
    let number = |redirect: &Redirect| {
        use RedirectKind::{HereDoc, HereDocStrip, HereString};
        let here = matches!(redirect.kind, HereString | HereDoc | HereDocStrip) && redirect.fd.is_none();
        let start = redirect.span.start.offset();
        let args = || command.args.iter().position(|word| word.span.end.offset() == start);
        let at = here.then(args).flatten()?;
        Some((at, command.args[at].span.slice(source).parse().ok()?))
    };
    redirects.iter().map(number).collect()
}

fn range(span: Span) -> Range<usize> {
    span.start.offset()..span.end.offset()
}

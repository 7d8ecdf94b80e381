//! Where the substitutions of a command line begin and end, as bash finds it.
//!
//! The parser cuts some of them in the wrong place and calls the line clean: behind a `case`, behind quotes and braces inside
//! `${…}`. So it is given each line with the substitutions blanked ([`blanked`]), and their bodies one by one. This module only
//! lexes: quotes, comments, heredocs, and of the grammar what decides whose a `)` is. Where it cannot tell it says so.

use std::borrow::Cow;

use shuck_ast::Span;

mod commands;
mod scan;
mod text;

/// `$(…)`, `<(…)`, `>(…)` or `` `…` ``, its brackets included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Extent {
    /// What lies between its brackets.
    pub(crate) fn body(self, source: &str) -> &str {
        let opening = if source[self.start..].starts_with('`') { 1 } else { 2 };
        source.get(self.start + opening..self.end - 1).unwrap_or("")
    }
}

/// The outermost substitutions of a source, and which of them the walk over its tree has met.
#[derive(Debug, Default)]
pub(crate) struct Substitutions {
    all: Vec<(Extent, bool)>,
}

impl Substitutions {
    /// Those of `source`, and the source without them; none where their ends cannot be told.
    pub(crate) fn of(source: &str) -> Option<(Self, Cow<'_, str>)> {
        let extents = substitutions(source)?;
        let blank = blanked(source, &extents);
        let all = extents.into_iter().map(|extent| (extent, false)).collect();
        Some((Self { all }, blank))
    }

    /// The one that stands at `span` and nowhere else.
    pub(crate) fn at(&mut self, span: Span) -> Option<Extent> {
        let (start, end) = (span.start.offset(), span.end.offset());
        let found = self
            .all
            .iter_mut()
            .find(|(extent, _)| extent.start == start && extent.end == end)?;
        found.1 = true;
        Some(found.0)
    }

    /// Those within `span` are read by other means.
    pub(crate) fn pass(&mut self, span: Span) {
        let within = |extent: &Extent| span.start.offset() <= extent.start && extent.end <= span.end.offset();
        for (extent, met) in &mut self.all {
            *met |= within(extent);
        }
    }

    /// Those that no part of the tree stands for.
    pub(crate) fn lost(&self) -> impl Iterator<Item = Extent> {
        self.all.iter().filter(|(_, met)| !met).map(|(extent, _)| *extent)
    }
}

/// The outermost substitutions of `source`, in order; none where their ends cannot be told.
fn substitutions(source: &str) -> Option<Vec<Extent>> {
    if !["$(", "`", "<(", ">("].iter().any(|open| source.contains(open)) {
        return Some(Vec::new());
    }
    let mut extents = scan::substitutions(source)?;
    extents.sort_by_key(|extent| extent.start);
    Some(extents)
}

/// `source` with nothing in its substitutions: of the same length, so that every span means the same in both.
fn blanked<'s>(source: &'s str, extents: &[Extent]) -> Cow<'s, str> {
    if extents.is_empty() {
        return Cow::Borrowed(source);
    }
    let mut blank = String::with_capacity(source.len());
    let mut from = 0;
    for extent in extents {
        let body = extent.body(source);
        let open = extent.end - 1 - body.len();
        blank.push_str(&source[from..open]);
        blank.extend(std::iter::once(':').chain(std::iter::repeat(' ')).take(body.len()));
        from = extent.end - 1;
    }
    blank.push_str(&source[from..]);
    Cow::Owned(blank)
}

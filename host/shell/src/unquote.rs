//! Quote removal: what backslashes stand for.

/// Where a piece of source text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Context {
    Unquoted,
    /// Inside `"…"`.
    Double,
}

/// Text that should have been an expansion of its own: the tree does not say what is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HiddenExpansion;

/// Appends `source` without its backslashes.
pub(crate) fn unquote(source: &str, context: Context, out: &mut String) -> Result<(), HiddenExpansion> {
    let mut hidden = Ok(());
    each_char(
        source,
        context,
        |char, _quoted| out.push(char),
        || hidden = Err(HiddenExpansion),
    );
    hidden
}

/// Calls `each` with every character that is left, and whether a backslash stood before it; `found` for an expansion
/// that is still there.
pub(crate) fn each_char(source: &str, context: Context, mut each: impl FnMut(char, bool), mut found: impl FnMut()) {
    let mut chars = source.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\\' => match (chars.peek().copied(), context) {
                (Some('\n'), _) => {
                    chars.next();
                }
                (Some(next), Context::Unquoted) => {
                    chars.next();
                    each(next, true);
                }
                (Some(next @ ('$' | '`' | '\\')), _) | (Some(next @ '"'), Context::Double) => {
                    chars.next();
                    each(next, true);
                }
                _ => each('\\', context != Context::Unquoted),
            },
            '`' => {
                found();
                each(char, true);
            }
            '$' => {
                let next = chars.peek().copied();
                if next.is_some_and(|next| next.is_ascii_alphanumeric() || "_({?#@*!-$".contains(next)) {
                    found();
                }
                each(char, context != Context::Unquoted);
            }
            _ => each(char, context != Context::Unquoted),
        }
    }
}

/// Cuts text into words as `xargs` and `env -S` do: at what `cut` takes for a separator, with quotes and backslashes taken off.
pub(crate) fn quoted_words(text: &str, cut: impl Fn(char) -> bool) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => word.get_or_insert_default().extend(chars.next()),
            '\'' | '"' => word
                .get_or_insert_default()
                .extend(chars.by_ref().take_while(|inner| *inner != char)),
            _ if cut(char) => words.extend(word.take()),
            _ => word.get_or_insert_default().push(char),
        }
    }
    words.extend(word);
    words
}

//! Lengths as the agent counts them, and how a text that is too long is cut.

/// Characters (UTF-16 units) of one text that an agent takes whole; of a longer one the model would see 2,000.
pub const MAX_TEXT: usize = 10_000;

/// A text within `limit` UTF-16 units; where something had to go, its last line says how much.
#[must_use]
pub fn capped(text: &str, limit: usize) -> String {
    let length = text.encode_utf16().count();
    if length <= limit {
        return text.to_owned();
    }
    let note = format!("\n[hookbox: cut here; the whole text has {length} characters, the agent takes {limit}]");
    let room = limit.saturating_sub(note.len());
    let mut used = 0;
    let kept: String = text
        .chars()
        .take_while(|character| {
            used += character.len_utf16();
            used <= room
        })
        .collect();
    kept + &note
}

#[cfg(test)]
mod tests {
    use super::capped;

    #[test]
    fn ten_thousand_units_pass_and_one_more_does_not() {
        assert_eq!(capped(&"x".repeat(10_000), 10_000).len(), 10_000);
        let cut = capped(&"x".repeat(10_001), 10_000);
        assert!(cut.ends_with("has 10001 characters, the agent takes 10000]"));
        assert_eq!(cut.encode_utf16().count(), 10_000);
    }

    #[test]
    fn a_pair_of_units_is_not_torn() {
        let cut = capped(&"😀".repeat(6_000), 10_000);
        assert!(cut.encode_utf16().count() <= 10_000);
    }
}

//! Takes secrets out of what a tool gave back, and keeps its shape.

use crate::keys;
use serde_json::Value;

/// The text without its secrets; none where there are none.
pub(crate) fn text(text: &str) -> Option<String> {
    let found = keys::scan(text);
    if found.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for secret in found {
        out.push_str(text.get(at..secret.start).unwrap_or_default());
        out.push_str("[redacted: ");
        out.push_str(secret.kind);
        out.push(']');
        at = secret.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    Some(out)
}

/// Redacts every string of the value; how many were changed.
pub(crate) fn value(value: &mut Value) -> usize {
    match value {
        Value::String(string) => match text(string) {
            Some(clean) => {
                *string = clean;
                1
            }
            None => 0,
        },
        Value::Array(items) => items.iter_mut().map(self::value).sum(),
        Value::Object(fields) => {
            let mut changed = 0;
            for (name, field) in fields.iter_mut() {
                if let Value::String(string) = field
                    && let Some(kind) = keys::under(name, string)
                {
                    *string = format!("[redacted: {kind}]");
                    changed += 1;
                } else {
                    changed += self::value(field);
                }
            }
            changed
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_shape_stays_and_the_secret_goes() {
        let key = format!("{}{}", "AKIA", "ABCDEFGHIJKLMNOP");
        let mut answer = json!({"stdout": format!("id={key}\nok"), "exit": 0, "lines": [key, "x"], "apiKey": "q8Zr2LkX0vTn5YbW7cJd"});
        assert_eq!(value(&mut answer), 3);
        assert_eq!(
            answer,
            json!({"stdout": "id=[redacted: AWS access key]\nok", "exit": 0, "lines": ["[redacted: AWS access key]", "x"], "apiKey": "[redacted: API key]"})
        );
    }

    #[test]
    fn what_holds_no_secret_is_not_copied() {
        assert_eq!(text("nothing here: password = none"), None);
        assert_eq!(value(&mut json!({"a": ["b", 1, null]})), 0);
    }
}

//! A handler's settings: in its entry, or in a file of their own, which is read again only when it changed.

use crate::plugin::Wanted;
use crate::stamped::Stamped;
use hookbox_sandbox::Cache;
use hookbox_sandbox::prepare::digest;
use serde_json::Value;
use std::borrow::Cow;

/// Bytes of a file of settings.
const BYTES: u64 = 8 << 20;
/// What their digest is remembered for.
const PURPOSE: &str = "settings";

/// Where the settings are.
pub(crate) enum Settings {
    /// JSON text.
    Here(Cow<'static, str>),
    File(Stamped),
}

impl Settings {
    pub(crate) fn find(wanted: &Wanted<'_>) -> Result<Self, String> {
        match (&wanted.settings_file, wanted.settings) {
            (Some(path), _) => Stamped::find(path.clone()).map(Settings::File).map_err(told),
            (None, Value::Null) => Ok(Settings::Here("{}".into())),
            (None, settings) => Ok(Settings::Here(settings.to_string().into())),
        }
    }

    /// What stands for them in the name of an artefact; none where the file must be read for it.
    pub(crate) fn mark(&self, cache: Option<&Cache>) -> Result<Option<String>, String> {
        match self {
            Settings::Here(text) => Ok(Some(text.to_string())),
            Settings::File(file) => Ok(file.known(cache, PURPOSE)?.map(|digest| mark(&digest))),
        }
    }

    /// The text of their JSON, and their mark.
    ///
    /// # Errors
    /// The file cannot be read, or is neither JSON nor TOML.
    pub(crate) fn read(&self, cache: Option<&Cache>) -> Result<(Cow<'_, str>, String), String> {
        let file = match self {
            Settings::Here(text) => return Ok((text.as_ref().into(), text.to_string())),
            Settings::File(file) => file,
        };
        let bytes = file.read(BYTES).map_err(told)?;
        let wrong = |what: String| told(format!("{}: {what}", file.path().display()));
        if bytes.len() as u64 > BYTES {
            return Err(wrong(format!("has more than {BYTES} bytes")));
        }
        let text = std::str::from_utf8(&bytes);
        let text = text.map_err(|error| wrong(format!("is not UTF-8: byte {}", error.valid_up_to())))?;
        let value = parse(text.trim_start_matches('\u{feff}')).map_err(wrong)?;
        let digest = digest(&bytes);
        if let Some(cache) = cache {
            file.remember(cache, PURPOSE, &digest);
        }
        Ok((value.to_string().into(), mark(&digest)))
    }
}

fn told(what: String) -> String {
    format!("its settings: {what}")
}

/// No JSON text begins like this.
fn mark(digest: &str) -> String {
    format!("sha256:{digest}")
}

/// JSON where it begins like an object, else TOML. An error says where, and nothing of what stands there.
fn parse(text: &str) -> Result<Value, String> {
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).map_err(|error| format!("is not JSON: {error}"));
    }
    let table: serde_json::Map<String, Value> = toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or("");
        format!("is not TOML: line {}: {}", before.split('\n').count(), error.message())
    })?;
    if table.is_empty() {
        // A file that was cut off, more likely than a wish for none: its rules must not be gone without a word.
        return Err("is empty\nhint: write `{}` where no settings are meant".into());
    }
    Ok(Value::Object(table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_settings_is_json_or_toml() {
        let json = serde_json::json!({ "rules": [{ "id": "a" }] });
        assert_eq!(parse(" {\"rules\": [{\"id\": \"a\"}]}"), Ok(json.clone()));
        assert_eq!(parse("# ours\n[[rules]]\nid = \"a\"\n"), Ok(json));
    }

    #[test]
    fn a_file_that_says_nothing_is_no_settings() {
        for text in ["", " \n", "# rules\n"] {
            assert!(parse(text).is_err_and(|error| error.contains("is empty")), "{text:?}");
        }
        assert_eq!(parse("{}"), Ok(serde_json::json!({})));
    }

    #[test]
    fn what_cannot_be_read_says_where_and_nothing_of_its_content() {
        let toml = parse("a = 1\nhunter2 hunter2\n").unwrap_err();
        assert!(toml.contains("line 2") && !toml.contains("hunter2"), "{toml}");
        let json = parse("{\"a\": hunter2}").unwrap_err();
        assert!(json.contains("line 1") && !json.contains("hunter2"), "{json}");
    }
}

//! Reads the configuration layers.

use crate::default;
use crate::open;
use crate::options::Options;
use hookbox_protocol::config::{self, Diagnostic, Layer, LayerFile, Layers, Parsed};
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Bytes of a configuration file.
const CONFIG_BYTES: u64 = 8 << 20;

/// Every layer's file that exists; `project` is the event's project root.
///
/// A file that cannot be read or understood is kept as an error: it may have held a guard, so it blocks.
pub fn load_layers(options: &Options, project: &Path) -> Layers {
    let mut files = Vec::new();
    for (layer, path) in paths(options, project) {
        let wanted = options.config.is_some() && layer == Layer::User;
        if let Some((parsed, bytes)) = read(&path, wanted) {
            let trusted = wanted || layer < Layer::Project || trusted(options, &bytes);
            files.push(LayerFile {
                layer,
                trusted,
                file: path.to_string_lossy().into_owned(),
                parsed,
            });
        }
    }
    Layers::with_default(files, || LayerFile {
        layer: Layer::User,
        trusted: true,
        file: "the embedded default".into(),
        parsed: default::parsed(),
    })
}

/// Where a layer may have a file.
pub(crate) fn paths(options: &Options, project: &Path) -> Vec<(Layer, PathBuf)> {
    let mut paths = Vec::with_capacity(4);
    if let Some(managed) = &options.managed {
        paths.push((Layer::Managed, managed.join("hooks.json")));
    }
    if let Some(config) = &options.config {
        paths.push((Layer::User, config.clone()));
        return paths;
    }
    if let Some(user) = &options.user {
        paths.push((Layer::User, user.join("hooks.json")));
    }
    paths.push((Layer::Project, project.join(".hookbox/hooks.json")));
    paths.push((Layer::Local, project.join(".hookbox/hooks.local.json")));
    paths
}

/// The list of what the user has trusted.
pub(crate) fn trust_list(options: &Options) -> Option<PathBuf> {
    options.user.as_ref().map(|user| user.join("trusted"))
}

/// A file and its bytes, which trust is judged by. None where there is no such file and it was not asked for by name.
fn read(path: &Path, wanted: bool) -> Option<(Parsed, Vec<u8>)> {
    let name = path.to_string_lossy();
    let failed = |message: String| {
        let error = Diagnostic::error("", message).in_file(&name);
        let parsed = Parsed {
            error: Some(error),
            ..Parsed::default()
        };
        Some((parsed, Vec::new()))
    };
    let mut file = match open::regular(path, OpenOptions::new().read(true)) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound && !wanted && absent(path) => return None,
        Err(error) => return failed(format!("cannot be read: {error}")),
    };
    let mut bytes = Vec::new();
    match file.by_ref().take(CONFIG_BYTES + 1).read_to_end(&mut bytes) {
        Err(error) => failed(format!("cannot be read: {error}")),
        Ok(_) if bytes.len() as u64 > CONFIG_BYTES => failed(format!("has more than {CONFIG_BYTES} bytes")),
        Ok(_) => match std::str::from_utf8(&bytes) {
            Ok(text) => Some((config::parse(text, &name), bytes)),
            Err(error) => failed(format!("is not UTF-8: byte {} cannot be read", error.valid_up_to())),
        },
    }
}

/// Whether there is no such file, nor anything in its place: a link that leads nowhere was meant to lead to a guard.
fn absent(path: &Path) -> bool {
    let missing = |path: &Path| fs::symlink_metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound);
    let folder = path.parent().unwrap_or(path);
    missing(path) && (missing(folder) || fs::metadata(folder).is_ok())
}

/// Whether the user has trusted this very content (`hookbox trust`): its digest stands in the user's list.
fn trusted(options: &Options, content: &[u8]) -> bool {
    let Some(list) = trust_list(options).and_then(|list| open::text(&list, CONFIG_BYTES).ok()) else {
        return false;
    };
    let digest = hookbox_sandbox::prepare::digest(content);
    list.lines()
        .any(|line| line.split_whitespace().next() == Some(digest.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A project folder with this text as its configuration, and options that know nothing else.
    fn project(text: &str) -> (tempfile::TempDir, Options) {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join(".hookbox")).expect("a folder");
        std::fs::write(folder.path().join(".hookbox/hooks.json"), text).expect("a file");
        let user = folder.path().join("user");
        std::fs::create_dir(&user).expect("a folder");
        let options = Options {
            user: Some(user),
            ..Options::default()
        };
        (folder, options)
    }

    fn names(layers: &Layers) -> Vec<&str> {
        layers.files().iter().map(|file| file.file.as_str()).collect()
    }

    #[test]
    fn a_project_file_that_is_not_trusted_does_not_take_the_default_away() {
        let (folder, options) = project("{}");
        let layers = load_layers(&options, folder.path());
        assert_eq!(names(&layers).first(), Some(&"the embedded default"));
        assert!(!layers.entries("PreToolUse").is_empty());
    }

    #[test]
    fn a_project_file_is_trusted_by_its_content() {
        let (folder, options) = project("{}");
        let digest = hookbox_sandbox::prepare::digest(b"{}");
        let list = options.user.as_ref().expect("a folder").join("trusted");
        std::fs::write(&list, format!("{digest} here\n")).expect("a file");
        assert!(load_layers(&options, folder.path()).files()[0].trusted);
        std::fs::write(folder.path().join(".hookbox/hooks.json"), "{ }").expect("a file");
        let layers = load_layers(&options, folder.path());
        assert!(
            layers.files().iter().any(|file| !file.trusted),
            "another content is not"
        );
    }

    #[test]
    fn what_is_not_a_file_is_an_error_and_is_not_waited_for() {
        let (folder, options) = project("{}");
        let path = folder.path().join(".hookbox/hooks.json");
        std::fs::remove_file(&path).expect("a file");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        if !made.is_ok_and(|status| status.success()) {
            std::fs::create_dir(&path).expect("a folder");
        }
        assert_eq!(load_layers(&options, folder.path()).errors().count(), 1);
    }
}

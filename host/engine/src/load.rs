//! Reads the configuration layers.

use crate::options::Options;
use hookbox_protocol::config::{self, Diagnostic, Layer, LayerFile, Layers, Parsed};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// What runs where nothing is configured: the pack with its default settings.
pub const DEFAULT_CONFIG: &str = include_str!("default.json");

/// Bytes of a configuration file.
const CONFIG_BYTES: u64 = 8 << 20;

/// Every layer's file that exists; `project` is the event's project root.
///
/// A file that cannot be read or understood is kept as an error: it may have held a guard, so it blocks.
pub fn load_layers(options: &Options, project: &Path) -> Layers {
    let mut files = Vec::new();
    let mut add = |layer: Layer, path: &Path, wanted: bool| {
        if let Some(parsed) = read(path, wanted) {
            let trusted = wanted || layer < Layer::Project || trusted(options, path);
            files.push(LayerFile {
                layer,
                trusted,
                file: path.to_string_lossy().into_owned(),
                parsed,
            });
        }
    };
    if let Some(managed) = &options.managed {
        add(Layer::Managed, &managed.join("hooks.json"), false);
    }
    match &options.config {
        Some(config) => add(Layer::User, config, true),
        None => {
            if let Some(user) = &options.user {
                add(Layer::User, &user.join("hooks.json"), false);
            }
            add(Layer::Project, &project.join(".hookbox/hooks.json"), false);
            add(Layer::Local, &project.join(".hookbox/hooks.local.json"), false);
        }
    }
    if files.is_empty() {
        let parsed = config::parse(DEFAULT_CONFIG, "the embedded default");
        files.push(LayerFile {
            layer: Layer::User,
            trusted: true,
            file: "the embedded default".into(),
            parsed,
        });
    }
    Layers::new(files)
}

/// None where there is no such file and it was not asked for by name.
fn read(path: &Path, wanted: bool) -> Option<Parsed> {
    let name = path.to_string_lossy();
    let failed = |message: String| {
        let error = Diagnostic::error("", message).in_file(&name);
        Some(Parsed {
            error: Some(error),
            ..Parsed::default()
        })
    };
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) && !wanted => return None,
        Err(error) => return failed(format!("cannot be read: {error}")),
    };
    let mut bytes = Vec::new();
    match file.by_ref().take(CONFIG_BYTES + 1).read_to_end(&mut bytes) {
        Err(error) => failed(format!("cannot be read: {error}")),
        Ok(_) if bytes.len() as u64 > CONFIG_BYTES => failed(format!("has more than {CONFIG_BYTES} bytes")),
        Ok(_) => match std::str::from_utf8(&bytes) {
            Ok(text) => Some(config::parse(text, &name)),
            Err(error) => failed(format!("is not UTF-8: byte {} cannot be read", error.valid_up_to())),
        },
    }
}

/// Whether the user has trusted this very content (`hookbox trust`): its digest stands in the user's list.
fn trusted(options: &Options, path: &Path) -> bool {
    let Some(user) = &options.user else { return false };
    let (Ok(list), Ok(content)) = (std::fs::read_to_string(user.join("trusted")), std::fs::read(path)) else {
        return false;
    };
    let digest = hookbox_sandbox::prepare::digest(&content);
    list.lines()
        .any(|line| line.split_whitespace().next() == Some(digest.as_str()))
}

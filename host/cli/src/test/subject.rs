//! What is tested: a plugin, found beside its cases, or a configuration.

use anyhow::{Context, Result, bail};
use hookbox::builtin;
use hookbox::manifest;
use hookbox_cases::Cases;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// What answers the events.
#[derive(Debug)]
pub(crate) enum Subject {
    Plugin(Plugin),
    Configuration { name: String, file: PathBuf },
}

/// A plugin under test: it gets what its manifest asks for, from the case's own world.
#[derive(Debug)]
pub(crate) struct Plugin {
    pub(crate) name: String,
    source: String,
    grants: Value,
    limits: Value,
}

impl Subject {
    /// A plugin's name, or the configuration's file.
    pub(crate) fn name(&self) -> &str {
        match self {
            Subject::Plugin(plugin) => &plugin.name,
            Subject::Configuration { name, .. } => name,
        }
    }

    pub(crate) fn configuration(file: &Path, cases: &Cases) -> Result<Subject> {
        if let Some(case) = cases.cases.iter().find(|case| case.own_settings) {
            bail!("case {}: the settings are those of {}", case.number, file.display());
        }
        let name = file.display().to_string();
        let file = std::path::absolute(file).with_context(|| name.clone())?;
        // Without it the embedded default would answer.
        fs::metadata(&file).with_context(|| format!("{name} cannot be read"))?;
        Ok(Subject::Configuration { name, file })
    }

    /// The plugin that `cases`, read from `file`, are for: the one that was named, that the file names, or that lies beside it.
    pub(crate) fn find(file: &Path, named: Option<&str>, cases: &Cases) -> Result<Subject> {
        let folder = file.parent().unwrap_or(Path::new("."));
        if let Some(name) = named {
            return Plugin::load(name, Path::new(".")).map(Subject::Plugin);
        }
        if let Some(name) = &cases.plugin {
            return Plugin::load(name, folder).map(Subject::Plugin);
        }
        let beside = beside(folder)?;
        let found = match &beside {
            Some(found) => Plugin::load(found, folder),
            None => bail!(
                "{}: which plugin are these cases for?\nhint: name it with --plugin, or with `plugin = \"./guard.wasm\"` at the top of the file",
                file.display()
            ),
        };
        found.map(Subject::Plugin)
    }

    /// The plugin `rules` of the pack.
    pub(crate) fn rules() -> Result<Subject> {
        Plugin::load("builtin:rules", Path::new(".")).map(Subject::Plugin)
    }
}

/// The plugin of this folder: its one component, the one that its `plugin.json` names, or the plugin of the pack of that name.
fn beside(folder: &Path) -> Result<Option<String>> {
    let mut components = Vec::new();
    for entry in fs::read_dir(if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    })? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".wasm") {
            components.push(format!("./{name}"));
        }
    }
    if let [only] = &components[..] {
        return Ok(Some(only.clone()));
    }
    let Ok(text) = fs::read_to_string(folder.join("plugin.json")) else {
        return Ok(None);
    };
    let manifest: Value = serde_json::from_str(&text).context("plugin.json")?;
    let Some(name) = manifest["name"].as_str() else {
        return Ok(None);
    };
    let file = format!("./{name}.wasm");
    if components.contains(&file) {
        return Ok(Some(file));
    }
    let dist = format!("../dist/{name}.wasm");
    if folder.join(&dist).is_file() {
        return Ok(Some(dist));
    }
    Ok(builtin::find(name).map(|builtin| format!("builtin:{}", builtin.name)))
}

impl Plugin {
    /// `named`: a path relative to `folder`, or a plugin of the pack with or without `builtin:`.
    fn load(named: &str, folder: &Path) -> Result<Plugin> {
        let pack = builtin::find(named.strip_prefix("builtin:").unwrap_or(named));
        if let Some(builtin) = pack {
            return Ok(Plugin::new(
                builtin.name,
                format!("builtin:{}", builtin.name),
                builtin.wasm,
            ));
        }
        if named.starts_with("builtin:") {
            bail!("the pack has no plugin {named:?}\nhint: it has {}", builtin::names());
        }
        let path = folder.join(named);
        let wasm = fs::read(&path).with_context(|| {
            format!(
                "the plugin {} cannot be read\nhint: build it, or name it with --plugin; the pack has {}",
                path.display(),
                builtin::names()
            )
        })?;
        let path = std::path::absolute(&path)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Plugin::new(&stem, path.to_string_lossy().into_owned(), &wasm))
    }

    fn new(name: &str, source: String, wasm: &[u8]) -> Plugin {
        let manifest = manifest::of(wasm).unwrap_or_default();
        let part = |key: &str| {
            manifest
                .get(key)
                .filter(|part| part.is_object())
                .cloned()
                .unwrap_or_else(|| json!({}))
        };
        Plugin {
            name: manifest["name"].as_str().unwrap_or(name).to_owned(),
            source,
            grants: part("grants"),
            limits: part("limits"),
        }
    }

    /// A configuration in which this plugin alone answers these events.
    pub(crate) fn configuration<'a>(
        &self,
        settings: &Map<String, Value>,
        events: impl Iterator<Item = &'a str>,
    ) -> Value {
        let handler = json!({ "type": "wasm", "plugin": self.name, "settings": settings });
        let hooks: Map<String, Value> = events
            .map(|event| (event.to_owned(), json!([{ "hooks": [handler] }])))
            .collect();
        let mut entry = Map::new();
        entry.insert("source".into(), json!(self.source));
        for (key, part) in [("grants", &self.grants), ("limits", &self.limits)] {
            if part.as_object().is_some_and(|part| !part.is_empty()) {
                entry.insert(key.into(), part.clone());
            }
        }
        let mut plugins = Map::new();
        plugins.insert(self.name.clone(), Value::Object(entry));
        json!({ "hooks": hooks, "plugins": plugins })
    }
}

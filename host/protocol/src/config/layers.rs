//! What several configuration files say together: which handlers may run, how strictly, and what an untrusted file loses.
//!
//! All layers' handlers run and the strictest answer wins, so a lower layer can add restrictions and never take one away.

use std::fmt;

use super::diagnostic::Diagnostic;
use super::types::{
    AskFallback, Config, Group, Handler, HandlerKind, Parsed, PluginEntry, PluginSource, Signer, Skipped,
};
use crate::output::OnFailure;

/// Where a file comes from; the highest authority first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The organisation's or the administrator's.
    Managed,
    User,
    /// Comes with the repository.
    Project,
    /// Lies in the repository's folder, and is one person's.
    Local,
}

impl Layer {
    pub const ALL: [Layer; 4] = [Layer::Managed, Layer::User, Layer::Project, Layer::Local];

    /// The word of messages and of JSON.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Managed => "managed",
            Layer::User => "user",
            Layer::Project => "project",
            Layer::Local => "local",
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One file of a layer.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerFile {
    pub layer: Layer,
    /// False for a project or local file whose content the user has not trusted: it may only tighten. The other layers are trusted by
    /// where they lie.
    pub trusted: bool,
    /// The path, for messages and as the base of relative plugin sources.
    pub file: String,
    pub parsed: Parsed,
}

impl LayerFile {
    fn config(&self) -> &Config {
        &self.parsed.config
    }

    /// Whether the file may only tighten.
    fn tighten_only(&self) -> bool {
        !self.trusted && self.layer >= Layer::Project
    }
}

/// A handler that may run, with what the layers make of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub layer: Layer,
    pub file: String,
    /// The matcher of its group, as written.
    pub matcher: Option<String>,
    pub handler: Handler,
    /// What its failure means, after the defaults of its kind and the floor of the higher layers.
    pub on_failure: OnFailure,
    /// Its answers may only tighten: `trust::tighten` is to be applied to each.
    pub tighten_only: bool,
    /// Of a `wasm` handler: what it runs.
    pub plugin: Option<ResolvedPlugin>,
}

/// The plugin that a handler's name stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedPlugin {
    /// Without grants where the handler or the entry comes from an untrusted file.
    pub entry: PluginEntry,
    /// The file that the entry is in, the base of a relative source; none for a built-in without an entry.
    pub file: Option<String>,
    /// The layer that the entry is in; managed plugins have a store of their own.
    pub layer: Layer,
    /// The key that the plugin's signature must verify with.
    pub signer: Option<Signer>,
}

/// All layers together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layers {
    /// Highest authority first; files of one layer in the order given.
    files: Vec<LayerFile>,
    managed_only: bool,
    disabled: Option<Layer>,
}

impl Layers {
    /// Puts files together, in any order.
    pub fn new(mut files: Vec<LayerFile>) -> Self {
        files.sort_by_key(|file| file.layer);
        let managed_only = files
            .iter()
            .any(|f| f.layer == Layer::Managed && f.config().allow_managed_hooks_only);
        let disabled = disabled_by(&files);
        Self {
            files,
            managed_only,
            disabled,
        }
    }

    /// The same, with the embedded default where nothing else is configured. A file that is not trusted is no configuration in this
    /// sense: it could otherwise take the default's guards away by being there.
    pub fn with_default(mut files: Vec<LayerFile>, default: impl FnOnce() -> LayerFile) -> Self {
        if files.iter().all(LayerFile::tighten_only) {
            files.push(default());
        }
        Self::new(files)
    }

    pub fn files(&self) -> &[LayerFile] {
        &self.files
    }

    /// Whether the handlers of a layer take part at all.
    fn active(&self, layer: Layer) -> bool {
        let disabled = match self.disabled {
            Some(Layer::Managed) => true,
            Some(_) => layer != Layer::Managed,
            None => false,
        };
        !disabled && (layer == Layer::Managed || !self.managed_only)
    }

    fn active_files(&self) -> impl Iterator<Item = &LayerFile> {
        self.files.iter().filter(|file| self.active(file.layer))
    }

    /// Files that cannot be used: while there is one, every event that can be blocked is.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.active_files().filter_map(|file| file.parsed.error.as_ref())
    }

    /// The handlers that hookbox leaves to the agent.
    pub fn skipped(&self) -> impl Iterator<Item = (&LayerFile, &Skipped)> {
        self.active_files()
            .flat_map(|file| file.parsed.skipped.iter().map(move |skipped| (file, skipped)))
    }

    /// The names of all events that any layer has handlers for, once each, in configuration order.
    pub fn events(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in self.active_files().flat_map(|file| &file.config().hooks) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// The handlers of an event in configuration order, before matchers: `select::select` goes on from here. Those that are left to the
    /// agent or may not run are not among them.
    pub fn entries(&self, event: &str) -> Vec<Entry> {
        let mut entries = Vec::new();
        for file in self.active_files() {
            for group in file.config().groups(event) {
                for handler in &group.handlers {
                    if matches!(handler.kind, HandlerKind::Other { .. }) || self.refusal(file, handler).is_some() {
                        continue;
                    }
                    entries.push(self.entry(file, group, handler));
                }
            }
        }
        entries
    }

    fn entry(&self, file: &LayerFile, group: &Group, handler: &Handler) -> Entry {
        let mut handler = handler.clone();
        let plugin = match &handler.kind {
            HandlerKind::Wasm(wasm) if wasm.settings_file.is_some() && file.layer >= Layer::Project => {
                // A project's file is trusted by its own content, and another file could change without anybody being asked.
                let error =
                    "a project's configuration cannot have its settings in another file: write them as `settings`";
                handler.kind = HandlerKind::Broken { error: error.into() };
                None
            }
            HandlerKind::Wasm(wasm) => match self.resolve(file, &wasm.plugin) {
                Ok(plugin) => Some(plugin),
                Err(error) => {
                    handler.kind = HandlerKind::Broken { error };
                    None
                }
            },
            _ => None,
        };
        Entry {
            layer: file.layer,
            file: file.file.clone(),
            matcher: group.matcher.clone(),
            on_failure: self.on_failure(file, &handler),
            tighten_only: file.tighten_only(),
            plugin,
            handler,
        }
    }

    /// Why a handler may not run, in words; none where it may.
    fn refusal(&self, file: &LayerFile, handler: &Handler) -> Option<&'static str> {
        let HandlerKind::Command(_) = handler.kind else {
            return None;
        };
        if file.tighten_only() {
            return Some("a command handler of an untrusted file does not run");
        }
        let forbidden = self
            .files
            .iter()
            .any(|f| f.layer == Layer::Managed && f.config().forbid_command_handlers);
        (forbidden && file.layer != Layer::Managed).then_some("the managed layer forbids command handlers")
    }

    /// What a failure of the handler means: as written, else the layer's default, else that of its kind, and never less than what a
    /// higher layer has set.
    fn on_failure(&self, file: &LayerFile, handler: &Handler) -> OnFailure {
        let of_kind = match handler.kind {
            HandlerKind::Command(_) | HandlerKind::Other { .. } => OnFailure::Continue,
            HandlerKind::Wasm(_) | HandlerKind::Broken { .. } => OnFailure::Block,
        };
        let own = handler.on_failure.or(file.config().on_failure).unwrap_or(of_kind);
        let above = self.files.iter().filter(|other| other.layer < file.layer);
        above
            .filter_map(|other| other.config().on_failure)
            .fold(own, OnFailure::max)
    }

    /// Whether an `ask` is no opinion where the agent cannot ask: only a managed or user layer can say so, and any layer can say no.
    pub fn ask_passes(&self) -> bool {
        let said = |file: &LayerFile| match file.config().ask_fallback? {
            AskFallback::Pass if file.layer >= Layer::Project => None,
            said => Some(said),
        };
        self.files.iter().filter_map(said).max() == Some(AskFallback::Pass)
    }

    /// What a plugin's name stands for in a file: an entry of that layer, else of the nearest one above, else the pack. A lower layer
    /// cannot redefine what a name means above it.
    fn resolve(&self, file: &LayerFile, name: &str) -> Result<ResolvedPlugin, String> {
        let found = self
            .files
            .iter()
            .rev()
            .filter(|other| other.layer <= file.layer)
            .find_map(|other| other.config().plugin(name).map(|entry| (other, entry)));
        let Some((at, entry)) = found else {
            let source = PluginSource::Builtin(name.to_owned());
            let entry = PluginEntry {
                source,
                ..PluginEntry::default()
            };
            return Ok(ResolvedPlugin {
                entry,
                file: None,
                layer: file.layer,
                signer: None,
            });
        };
        if let Some(error) = &entry.error {
            return Err(format!("plugin {name:?} cannot be used: {error}"));
        }
        let signer = self.signer(at, name, entry)?;
        let mut entry = entry.clone();
        if at.tighten_only() || file.tighten_only() {
            entry.grants = Default::default();
        }
        Ok(ResolvedPlugin {
            entry,
            file: Some(at.file.clone()),
            layer: at.layer,
            signer,
        })
    }

    /// The key for a plugin of a file. Where a layer demands signers, for itself and those below it, only its own keys and those
    /// above it count; a name means the key of the highest layer that has it.
    fn signer(&self, at: &LayerFile, name: &str, entry: &PluginEntry) -> Result<Option<Signer>, String> {
        let demanded_by = self
            .files
            .iter()
            .filter(|f| f.layer <= at.layer && f.config().require_signers)
            .map(|f| f.layer)
            .min();
        let Some(signer) = &entry.signer else {
            return match demanded_by {
                Some(layer) if !matches!(entry.source, PluginSource::Builtin(_)) => Err(format!(
                    "plugin {name:?} names no signer, and the {layer} layer demands one"
                )),
                _ => Ok(None),
            };
        };
        let lowest = demanded_by.unwrap_or(at.layer);
        let key = self
            .files
            .iter()
            .filter(|f| f.layer <= lowest)
            .find_map(|f| f.config().signers.get(signer));
        match (key, demanded_by) {
            (Some(key), _) => Ok(Some(key.clone())),
            (None, Some(layer)) => Err(format!(
                "plugin {name:?} names the signer {signer:?}, which the {layer} layer does not know"
            )),
            (None, None) => Err(format!(
                "plugin {name:?} names the signer {signer:?}, which is not in \"signers\""
            )),
        }
    }

    /// Everything that a person should know about the layers: what each file's reading found, and what the layers dropped.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = Vec::new();
        for file in &self.files {
            found.extend(file.parsed.error.iter().cloned());
            found.extend(file.parsed.diagnostics.iter().cloned());
            let note = |found: &mut Vec<Diagnostic>, path: &str, message: String| {
                found.push(Diagnostic::warning(path, message).in_file(&file.file));
            };
            self.policy_notes(file, &mut |path, message| note(&mut found, path, message));
            if !self.active(file.layer) {
                continue;
            }
            if file.tighten_only() {
                for (name, entry) in file
                    .config()
                    .plugins
                    .iter()
                    .filter(|(_, entry)| !entry.grants.is_empty())
                {
                    let path = format!("{}.grants", entry.path);
                    note(
                        &mut found,
                        &path,
                        format!("the grants of {name:?} are dropped: the file is not trusted"),
                    );
                }
            }
            if file.layer >= Layer::Project && file.config().ask_fallback == Some(AskFallback::Pass) {
                note(
                    &mut found,
                    "askFallback",
                    "it has no effect here: only the user's own or the managed configuration can relax it".to_owned(),
                );
            }
            for handler in file
                .config()
                .hooks
                .iter()
                .flat_map(|(_, groups)| groups)
                .flat_map(|g| &g.handlers)
            {
                if let Some(why) = self.refusal(file, handler) {
                    note(&mut found, &handler.path, format!("not run: {why}"));
                }
                if let HandlerKind::Wasm(wasm) = &handler.kind
                    && let Err(error) = self.resolve(file, &wasm.plugin)
                {
                    found.push(Diagnostic::error(handler.path.clone(), error).in_file(&file.file));
                }
                if handler.on_failure == Some(OnFailure::Continue) && self.on_failure(file, handler) == OnFailure::Block
                {
                    let path = format!("{}.onFailure", handler.path);
                    note(
                        &mut found,
                        &path,
                        "read as \"block\": a higher layer demands it".to_owned(),
                    );
                }
            }
        }
        found
    }

    /// Keys that do nothing where they stand, and those that turn handlers off.
    fn policy_notes(&self, file: &LayerFile, note: &mut dyn FnMut(&str, String)) {
        let config = file.config();
        if file.layer != Layer::Managed {
            for (key, set) in [
                ("allowManagedHooksOnly", config.allow_managed_hooks_only),
                ("forbidCommandHandlers", config.forbid_command_handlers),
            ] {
                if set {
                    note(
                        key,
                        format!("{key} counts only in the managed layer: it has no effect here"),
                    );
                }
            }
        }
        let handlers = config
            .hooks
            .iter()
            .flat_map(|(_, groups)| groups)
            .map(|group| group.handlers.len())
            .sum::<usize>();
        if config.disable_all_hooks == Some(true) && file.tighten_only() {
            note("disableAllHooks", "no effect: the file is not trusted".to_owned());
        }
        if handlers > 0 && !self.active(file.layer) {
            let why = match self.disabled {
                Some(layer) => format!("disableAllHooks of the {layer} layer"),
                None => "allowManagedHooksOnly of the managed layer".to_owned(),
            };
            note("hooks", format!("{handlers} handlers are off: {why}"));
        }
    }
}

/// The layer whose `disableAllHooks` holds: managed before all; else the lowest layer that says anything decides, as agents read
/// settings. An untrusted file has no say.
fn disabled_by(files: &[LayerFile]) -> Option<Layer> {
    let says = |file: &LayerFile| Some((file.layer, file.config().disable_all_hooks?));
    let managed = files.iter().rev().filter(|f| f.layer == Layer::Managed).find_map(says);
    let lower = files
        .iter()
        .rev()
        .filter(|f| f.layer != Layer::Managed && !f.tighten_only())
        .find_map(says);
    match (managed, lower) {
        (Some((layer, true)), _) => Some(layer),
        (Some((_, false)), _) => None,
        (None, Some((layer, true))) => Some(layer),
        (None, _) => None,
    }
}

//! From what a configuration names to a plugin that can be called: find the bytes, check digest and signature, prepare
//! once, map from then on.

use crate::builtin;
use crate::open;
use crate::options::Options;
use crate::settings::Settings;
use crate::stamped::Stamped;
use hookbox_protocol::config::{PluginSource, ResolvedPlugin, Signer, WasmHandler};
use hookbox_sandbox::prepare::{digest, key};
use hookbox_sandbox::{Cache, Grants, Job, Limits, Loaded, PrepareError, Prepared, Sandbox, child, limits};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// What a `wasm` handler runs, with everything that `prepare` depends on.
pub struct Wanted<'a> {
    pub name: &'a str,
    pub plugin: &'a ResolvedPlugin,
    pub settings: &'a Value,
    /// The file that holds the settings instead.
    pub settings_file: Option<PathBuf>,
    /// The handler's own `timeout`.
    pub timeout: Option<f64>,
    /// The event's project root.
    pub project: &'a str,
}

/// The file that holds a handler's settings; `configuration`: the file that the handler stands in.
pub(crate) fn settings_file(handler: &WasmHandler, configuration: &str) -> Option<PathBuf> {
    let file = handler.settings_file.as_deref()?;
    Some(Path::new(configuration).parent().unwrap_or(Path::new("")).join(file))
}

/// Where plugins are prepared and kept.
pub struct Store {
    cache: Option<Cache>,
    preparer: Option<PathBuf>,
    home: String,
    /// Newest first: mapped once for all events of this engine.
    loaded: Mutex<VecDeque<Held>>,
    /// The guards that nobody configured.
    guards: OnceLock<Arc<Loaded>>,
}

impl Wanted<'_> {
    /// Whether it is one of the guards as the pack has them: no entry, so no pin, source, grants or limits of its own, and no
    /// settings.
    fn is_of_the_guards(&self) -> bool {
        let plain = self.plugin.file.is_none() && self.settings.is_null() && self.settings_file.is_none();
        plain && builtin::is_together(self.name)
    }
}

/// What is loaded: bytes, and all that their artefact depends on.
struct Lot<'a> {
    bytes: Bytes,
    /// The digest that the configuration asks for.
    pin: Option<&'a str>,
    settings: Settings,
    grants: Grants,
    limits: Limits,
}

/// A plugin with what it was loaded for: the key says nothing of the limits that a call has.
struct Held {
    key: String,
    limits: Limits,
    plugin: Arc<Loaded>,
}

/// Bytes of a signature with its comments.
const SIGNATURE_BYTES: u64 = 64 << 10;

/// How many plugins stay mapped. An engine of many projects has more only over time.
const LOADED: usize = 256;

impl Store {
    pub fn new(options: &Options) -> Self {
        let folder = |cache: &PathBuf| Cache::new(cache.join("prepared"));
        Store {
            cache: options.cache.as_ref().map(folder),
            preparer: options.preparer.clone(),
            home: options.home_text(),
            loaded: Mutex::default(),
            guards: OnceLock::new(),
        }
    }

    fn loaded(&self) -> MutexGuard<'_, VecDeque<Held>> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hold(&self, key: String, limits: Limits, plugin: Loaded) -> Arc<Loaded> {
        let plugin = Arc::new(plugin);
        let mut loaded = self.loaded();
        loaded.truncate(LOADED - 1);
        loaded.push_front(Held {
            key,
            limits,
            plugin: Arc::clone(&plugin),
        });
        plugin
    }

    /// The plugin, prepared now where it was not yet.
    ///
    /// # Errors
    /// It is missing, altered, wrongly signed, not granted what it imports, or its settings are wrong: in words.
    pub fn get(&self, sandbox: &Sandbox, wanted: &Wanted<'_>) -> Result<Arc<Loaded>, String> {
        let grants = self.grants(wanted)?;
        let limits = limits_of(wanted)?;
        if wanted.is_of_the_guards() {
            return match &*self.guards(sandbox)? {
                Loaded::Plugin(guards) => Ok(Arc::new(Loaded::Plugin(guards.part(grants, limits)))),
                Loaded::Program(_) => Err("the guards are no plugin".into()),
            };
        }
        let lot = Lot {
            bytes: Bytes::find(wanted)?,
            pin: wanted.plugin.entry.digest.as_deref(),
            settings: Settings::find(wanted)?,
            grants,
            limits,
        };
        self.load(sandbox, &lot)
    }

    /// The guards of the pack, in one component: each part is called with its own grants and limits.
    fn guards(&self, sandbox: &Sandbox) -> Result<Arc<Loaded>, String> {
        if let Some(guards) = self.guards.get() {
            return Ok(Arc::clone(guards));
        }
        let guards = self.load(sandbox, &Lot::guards())?;
        Ok(Arc::clone(self.guards.get_or_init(|| guards)))
    }

    /// Loads the guards, where they are prepared. Whoever needs them and cannot have them hears why.
    pub(crate) fn warm(&self, sandbox: &Sandbox) {
        if let Ok(Some(guards)) = self.prepared(sandbox, &Lot::guards()) {
            self.guards.get_or_init(|| guards);
        }
    }

    fn load(&self, sandbox: &Sandbox, lot: &Lot<'_>) -> Result<Arc<Loaded>, String> {
        if let Some(plugin) = self.prepared(sandbox, lot)? {
            return Ok(plugin);
        }
        let cache = self.cache.as_ref();
        let (wasm, digest) = lot.read()?;
        let (settings, mark) = lot.settings.read(cache)?;
        let job = Job {
            wasm: &wasm,
            settings: &settings,
            grants: &lot.grants,
            limits: &lot.limits,
        };
        let prepared = self.prepare(&job)?;
        // A cache that cannot be written costs time at the next event, not the verdict on this one.
        let key = lot.key(&digest, &mark);
        if let Some(cache) = cache
            && sandbox.keep(cache, &key, &prepared).is_ok()
        {
            lot.bytes.remember(cache, &digest);
        }
        let plugin = sandbox.plugin(&prepared, &settings, &lot.grants, &lot.limits);
        plugin
            .map(|plugin| self.hold(key, lot.limits, plugin))
            .map_err(|error| error.to_string())
    }

    /// What is loaded, or lies prepared in the cache.
    fn prepared(&self, sandbox: &Sandbox, lot: &Lot<'_>) -> Result<Option<Arc<Loaded>>, String> {
        let cache = self.cache.as_ref();
        let known = lot.bytes.known_digest(cache)?;
        let (Some(digest), Some(mark), Some(cache)) = (&known, lot.settings.mark(cache)?, cache) else {
            return Ok(None);
        };
        lot.check_pin(digest)?;
        let key = lot.key(digest, &mark);
        let same = |held: &&Held| held.key == key && held.limits == lot.limits;
        if let Some(held) = self.loaded().iter().find(same) {
            return Ok(Some(Arc::clone(&held.plugin)));
        }
        let settings = || {
            let read = lot.settings.read(None).map(|(text, _)| text.into_owned());
            read.map_err(PrepareError::Settings)
        };
        let found = sandbox.load(cache, &key, &settings, &lot.grants, &lot.limits);
        let found = found.map_err(|error| error.to_string())?;
        Ok(found.map(|plugin| self.hold(key, lot.limits, plugin)))
    }

    fn prepare(&self, job: &Job<'_>) -> Result<Prepared, String> {
        let prepared = match &self.preparer {
            Some(program) => child::prepare(program, job),
            None => job.run(),
        };
        prepared.map_err(|error| error.to_string())
    }

    /// Grants as the sandbox takes them. A plugin of the pack without an entry has its own.
    fn grants(&self, wanted: &Wanted<'_>) -> Result<Grants, String> {
        let of_the_pack;
        let granted = if wanted.plugin.file.is_none() {
            of_the_pack = builtin::grants(wanted.name);
            &of_the_pack
        } else {
            &wanted.plugin.entry.grants
        };
        Ok(Grants {
            read: self.paths(&granted.read, wanted.project)?,
            stat: self.paths(&granted.stat, wanted.project)?,
            env: granted.env.iter().cloned().collect(),
            http: granted.http.iter().cloned().collect(),
            state: granted.state.then(|| identity(wanted)),
            clock: granted.clock,
            random: granted.random,
        })
    }

    fn paths(&self, patterns: &[String], project: &str) -> Result<Vec<String>, String> {
        let expand = |pattern: &String| {
            let path = pattern.replace("${project}", project).replace("${home}", &self.home);
            let path = path.strip_suffix("/**").map_or(path.clone(), |folder| {
                if folder.is_empty() { "/".into() } else { folder.into() }
            });
            let plain = path.starts_with('/') && !path.split('/').any(|part| part == ".." || part == ".");
            if plain && !path.contains(['*', '?', '[', '{']) {
                return Ok(path);
            }
            let hint = "write an absolute file or folder; `${project}` and `${home}` stand for those folders";
            Err(format!(
                "the grant {pattern:?} is not a path hookbox can grant\nhint: {hint}"
            ))
        };
        patterns.iter().map(expand).collect()
    }
}

/// Under which name a plugin's values are kept: what it is, not what a file calls it.
fn identity(wanted: &Wanted<'_>) -> String {
    match &wanted.plugin.entry.source {
        PluginSource::Builtin(name) if name.is_empty() => format!("builtin:{}", wanted.name),
        PluginSource::Builtin(name) => format!("builtin:{name}"),
        PluginSource::Path(path) => {
            let base = wanted.plugin.file.as_deref().and_then(|file| Path::new(file).parent());
            format!("path:{}", base.unwrap_or(Path::new("")).join(path).display())
        }
        PluginSource::Oci(reference) => format!("oci:{reference}"),
    }
}

fn fuel_of(wanted: &Wanted<'_>) -> u64 {
    match &wanted.plugin.entry.source {
        PluginSource::Builtin(name) if name.is_empty() => builtin::fuel(wanted.name),
        PluginSource::Builtin(name) => builtin::fuel(name),
        PluginSource::Path(_) | PluginSource::Oci(_) => limits::FUEL,
    }
}

fn limits_of(wanted: &Wanted<'_>) -> Result<Limits, String> {
    let set = &wanted.plugin.entry.limits;
    if let Some(stack) = set.stack.filter(|stack| *stack != limits::WASM_STACK as u64) {
        let hint = "leave `limits.stack` out";
        return Err(format!(
            "a stack of {stack} bytes cannot be given: that of every plugin has {} bytes\nhint: {hint}",
            limits::WASM_STACK
        ));
    }
    let size =
        |set: Option<u64>, default: usize| set.map_or(default, |size| usize::try_from(size).unwrap_or(usize::MAX));
    let seconds = wanted.timeout.or(set.timeout);
    let deadline = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    Ok(Limits {
        fuel: set.fuel.unwrap_or_else(|| fuel_of(wanted)),
        memory: size(set.memory, limits::MEMORY),
        table_elements: size(set.table_elements, limits::TABLE_ELEMENTS),
        answer: size(set.answer, limits::ANSWER_BYTES),
        deadline: deadline.unwrap_or(limits::DEADLINE),
        prepare: set
            .prepare_time
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
            .unwrap_or(limits::PREPARE_TIME),
    })
}

impl Lot<'_> {
    /// The guards of the pack. What the grants open is the import, and no file.
    fn guards() -> Self {
        Lot {
            bytes: Bytes::Builtin(&builtin::TOGETHER),
            pin: None,
            settings: Settings::Here("{}".into()),
            grants: Grants {
                stat: vec![String::new()],
                ..Grants::default()
            },
            limits: Limits::default(),
        }
    }

    fn key(&self, digest: &str, settings: &str) -> String {
        key(digest, settings, &self.grants, &self.limits)
    }

    fn check_pin(&self, digest: &str) -> Result<(), String> {
        match self.pin.map(|pin| pin.trim_start_matches("sha256:")) {
            Some(pin) if !pin.eq_ignore_ascii_case(digest) => {
                let hint = "if the change is meant, put the new digest into the configuration";
                Err(format!(
                    "its digest is sha256:{digest}, the configuration pins sha256:{pin}\nhint: {hint}"
                ))
            }
            _ => Ok(()),
        }
    }

    /// The bytes, verified: what is checked here is what is prepared.
    fn read(&self) -> Result<(Cow<'static, [u8]>, String), String> {
        let (file, signer) = match &self.bytes {
            Bytes::Builtin(builtin) => {
                self.check_pin(builtin.digest)?;
                return Ok((Cow::Borrowed(builtin.wasm), builtin.digest.into()));
            }
            Bytes::File { file, signer } => (file, signer),
        };
        let wasm = file.read(limits::PLUGIN_BYTES as u64)?;
        let digest = digest(&wasm);
        self.check_pin(&digest)?;
        if let Some(signer) = signer {
            verify(&wasm, file.path(), signer)?;
        }
        Ok((Cow::Owned(wasm), digest))
    }
}

/// Where the bytes of a plugin are.
enum Bytes {
    Builtin(&'static builtin::Builtin),
    File { file: Stamped, signer: Option<Signer> },
}

impl Bytes {
    fn find(wanted: &Wanted<'_>) -> Result<Self, String> {
        match &wanted.plugin.entry.source {
            PluginSource::Builtin(name) => {
                let name = if name.is_empty() { wanted.name } else { name };
                let hint = || {
                    format!(
                        "there is no plugin `{name}` in the pack\nhint: the pack has {}",
                        builtin::names()
                    )
                };
                builtin::find(name).map(Bytes::Builtin).ok_or_else(hint)
            }
            PluginSource::Path(path) => {
                let base = wanted.plugin.file.as_deref().and_then(|file| Path::new(file).parent());
                let path = base.unwrap_or(Path::new("")).join(path);
                Ok(Bytes::File {
                    file: Stamped::find(path)?,
                    signer: wanted.plugin.signer.clone(),
                })
            }
            PluginSource::Oci(reference) => Err(format!(
                "oci://{reference} was not added to this machine\nhint: fetch the component and name its file as `source`"
            )),
        }
    }

    /// The digest, where it is known: of a file that did not change since it was verified with the same key.
    fn known_digest(&self, cache: Option<&Cache>) -> Result<Option<String>, String> {
        match self {
            Bytes::Builtin(builtin) => Ok(Some(builtin.digest.into())),
            Bytes::File { file, signer } => file.known(cache, &format!("{signer:?}")),
        }
    }

    fn remember(&self, cache: &Cache, digest: &str) {
        if let Bytes::File { file, signer } = self {
            file.remember(cache, &format!("{signer:?}"), digest);
        }
    }
}

/// Checks the signature that lies beside the file (`FILE.minisig`).
fn verify(wasm: &[u8], path: &Path, signer: &Signer) -> Result<(), String> {
    let Signer::Minisign(key) = signer else {
        return Err("its signer has a cosign key, which hookbox cannot check yet\nhint: sign it with minisign".into());
    };
    let beside = PathBuf::from(format!("{}.minisig", path.display()));
    let key = minisign_verify::PublicKey::from_base64(key).map_err(|error| format!("the signer's key: {error}"))?;
    let signature =
        open::text(&beside, SIGNATURE_BYTES).map_err(|error| format!("its signature {}: {error}", beside.display()))?;
    let signature = minisign_verify::Signature::decode(&signature)
        .map_err(|error| format!("its signature {}: {error}", beside.display()))?;
    key.verify(wasm, &signature, false)
        .map_err(|error| format!("its signature {} does not verify: {error}", beside.display()))
}

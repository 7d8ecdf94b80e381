//! Prepares a plugin, once: checks its bytes, runs `configure`, snapshots the state it leaves, compiles.
//!
//! [`Job::run`] does the work and belongs into a child process with limits ([`child`](crate::child)); [`Sandbox::load`]
//! maps what it made. The name of an artefact says all that it depends on.

use crate::cache::Cache;
use crate::engine::{ENGINE_ID, Mode, Sandbox};
use crate::error::PrepareError;
use crate::grants::Grants;
use crate::instance::Plugin;
use crate::limits::{Limits, PLUGIN_BYTES};
use crate::os;
use crate::program::{self, Program};
use crate::scan::{self, Kind};
use crate::snapshot::{self, Snapshot};
use rustix::io::Errno;
use sha2::{Digest, Sha256};
use std::os::unix::ffi::OsStrExt;
use wasmtime::component::Component;

/// What is to be prepared.
pub struct Job<'a> {
    /// The component, as it was verified.
    pub wasm: &'a [u8],
    /// JSON text.
    pub settings: &'a str,
    pub grants: &'a Grants,
    pub limits: &'a Limits,
}

/// A plugin that is ready to be mapped.
#[derive(Debug)]
pub struct Prepared {
    /// Native code: never from anywhere but [`Job::run`].
    pub compiled: Vec<u8>,
    pub form: Form,
}

/// What a prepared plugin is, and so how it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A component that holds its configured state.
    Snapshotted,
    /// Why the configured state could not be kept; the plugin is then configured for each event.
    Unsnapshotted(String),
    /// A plain program: a component that exports `wasi:cli/run`.
    Command,
    /// A plain program: a core module of preview 1.
    Module,
}

/// A plugin of one kind or the other, ready for events.
pub enum Loaded {
    /// It is asked through `handler.handle`.
    Plugin(Plugin),
    /// It reads the event from stdin.
    Program(Program),
}

impl Form {
    /// The name of its artefact.
    fn name(&self, key: &str) -> String {
        match self {
            Form::Snapshotted => format!("{key}.cwasm"),
            Form::Unsnapshotted(_) => format!("{key}.unsnapshotted.cwasm"),
            Form::Command => format!("{key}.command.cwasm"),
            Form::Module => format!("{key}.module.cwasm"),
        }
    }

    /// Every form, in the order in which an artefact is looked for.
    fn all() -> [Form; 4] {
        [
            Form::Snapshotted,
            Form::Unsnapshotted(String::new()),
            Form::Command,
            Form::Module,
        ]
    }
}

/// Lower-case hexadecimal SHA-256.
pub fn digest(bytes: &[u8]) -> String {
    hexadecimal(Sha256::digest(bytes).as_ref())
}

/// Lower-case, two digits a byte.
fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value & 15)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect()
}

/// The name of an artefact without its ending: plugin, settings, grants, limits and engine.
pub fn key(digest_of_wasm: &str, settings: &str, grants: &Grants, limits: &Limits) -> String {
    let Grants {
        read,
        stat,
        env,
        http,
        state,
        clock,
        random,
    } = grants;
    let mut sha = Sha256::new();
    // Each part after its length: no two lists of parts give the same bytes.
    let mut part = |bytes: &[u8]| {
        sha.update((bytes.len() as u64).to_le_bytes());
        sha.update(bytes);
    };
    for text in [ENGINE_ID, digest_of_wasm, settings] {
        part(text.as_bytes());
    }
    for list in [read, stat] {
        part(&(list.len() as u64).to_le_bytes());
        list.iter().for_each(|text| part(text.as_bytes()));
    }
    for set in [env, http] {
        part(&(set.len() as u64).to_le_bytes());
        set.iter().for_each(|text| part(text.as_bytes()));
    }
    // `configure` may have read the granted variables, and what it leaves is kept.
    for variable in env.iter().map(std::env::var_os) {
        part(&[u8::from(variable.is_some())]);
        part(variable.unwrap_or_default().as_bytes());
    }
    part(&[u8::from(*clock), u8::from(*random), u8::from(state.is_some())]);
    part(state.as_deref().unwrap_or_default().as_bytes());
    part(&(limits.memory as u64).to_le_bytes());
    part(&(limits.table_elements as u64).to_le_bytes());
    hexadecimal(sha.finalize().as_ref())
}

impl Job<'_> {
    /// Does the work, in this process.
    ///
    /// # Errors
    /// What is wrong with the plugin, its settings or its grants.
    pub fn run(&self) -> Result<Prepared, PrepareError> {
        if self.wasm.len() > PLUGIN_BYTES {
            return Err(PrepareError::TooLarge(self.wasm.len()));
        }
        let (kind, no_handler) = scan::scan(self.wasm)?;
        let sandbox = Sandbox::new(Mode::Prepare).map_err(PrepareError::Compile)?;
        let engine = &sandbox.engine;
        if kind != Kind::Plugin {
            let compiled = program::compile(engine, kind, self.wasm, self.settings, self.grants, self.limits)?;
            let form = if kind == Kind::Module {
                Form::Module
            } else {
                Form::Command
            };
            return Ok(Prepared { compiled, form });
        }
        let (wasm, form) = match snapshot::take(engine, self, no_handler)? {
            Snapshot::Taken(wasm) => (wasm, Form::Snapshotted),
            Snapshot::Impossible(why) => (self.wasm.to_vec(), Form::Unsnapshotted(why)),
        };
        let compiled = engine.precompile_component(&wasm);
        let compiled = compiled.map_err(|error| PrepareError::Compile(format!("{error:#}")))?;
        Ok(Prepared { compiled, form })
    }
}

/// Forgets an artefact of another version or processor. What the system could not give (files, memory) says nothing of it.
fn unfit(cache: &Cache, name: &str, error: &wasmtime::Error) -> Result<(), PrepareError> {
    // An empty file cannot be mapped either (EINVAL), and that is its own fault.
    let of_the_system = |cause: &(dyn std::error::Error + 'static)| {
        let errno = cause.downcast_ref().copied();
        let errno = errno.or_else(|| Errno::from_io_error(cause.downcast_ref::<std::io::Error>()?));
        errno.is_some_and(|errno| errno != Errno::INVAL)
    };
    if error.chain().any(of_the_system) {
        let why = format!("the prepared plugin cannot be loaded: {error:#}");
        return Err(PrepareError::Compile(why));
    }
    cache.remove(name);
    Ok(())
}

impl Sandbox {
    /// The plugin that was prepared under `key`; none where it was not, or was by another version. `settings` are asked for where the
    /// artefact does not hold them.
    ///
    /// # Errors
    /// The cache is not safe to use, or the grants were taken away.
    pub fn load(
        &self,
        cache: &Cache,
        key: &str,
        settings: &dyn Fn() -> Result<String, PrepareError>,
        grants: &Grants,
        limits: &Limits,
    ) -> Result<Option<Loaded>, PrepareError> {
        for form in Form::all() {
            let name = form.name(key);
            let Some(file) = cache.open(&name)? else { continue };
            let loaded = match form {
                Form::Module => match os::map_module(&self.engine, file) {
                    Ok(module) => {
                        Program::of_module(&self.engine, &module, &settings()?, grants, limits).map(Loaded::Program)
                    }
                    Err(error) => {
                        unfit(cache, &name, &error)?;
                        continue;
                    }
                },
                _ => match os::map(&self.engine, &file) {
                    Ok(component) => self.ready(&component, &form, settings, grants, limits),
                    Err(error) => {
                        unfit(cache, &name, &error)?;
                        continue;
                    }
                },
            };
            return loaded.map(Some);
        }
        Ok(None)
    }

    /// A component, as its form is called.
    fn ready(
        &self,
        component: &Component,
        form: &Form,
        settings: &dyn Fn() -> Result<String, PrepareError>,
        grants: &Grants,
        limits: &Limits,
    ) -> Result<Loaded, PrepareError> {
        if *form == Form::Command {
            return Program::of_component(&self.engine, component, &settings()?, grants, limits).map(Loaded::Program);
        }
        let configure = matches!(form, Form::Unsnapshotted(_)).then(settings).transpose()?;
        Plugin::new(&self.engine, component, grants.clone(), *limits, configure).map(Loaded::Plugin)
    }

    /// Keeps a prepared plugin in the cache.
    ///
    /// # Errors
    /// The cache cannot be written or is not safe.
    pub fn keep(&self, cache: &Cache, key: &str, prepared: &Prepared) -> Result<(), PrepareError> {
        cache.store(&prepared.form.name(key), &prepared.compiled)
    }

    /// The plugin, without a cache.
    ///
    /// # Errors
    /// What was prepared does not fit this engine.
    pub fn plugin(
        &self,
        prepared: &Prepared,
        settings: &str,
        grants: &Grants,
        limits: &Limits,
    ) -> Result<Loaded, PrepareError> {
        let unfit = |error: wasmtime::Error| PrepareError::Compile(format!("{error:#}"));
        if prepared.form == Form::Module {
            let module = os::load_module(&self.engine, &prepared.compiled).map_err(unfit)?;
            return Program::of_module(&self.engine, &module, settings, grants, limits).map(Loaded::Program);
        }
        let component = os::load(&self.engine, &prepared.compiled).map_err(unfit)?;
        self.ready(&component, &prepared.form, &|| Ok(settings.to_string()), grants, limits)
    }
}

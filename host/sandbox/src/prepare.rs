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
use crate::snapshot::{self, Snapshot};
use sha2::{Digest, Sha256};
use std::fmt::Write;

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
    /// Why the configured state could not be kept; the plugin is then configured for each event.
    pub unsnapshotted: Option<String>,
}

/// Lower-case hexadecimal SHA-256.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::with_capacity(64), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

/// The name of an artefact without its ending: plugin, settings, grants, limits and engine.
pub fn key(digest_of_wasm: &str, settings: &str, grants: &Grants, limits: &Limits) -> String {
    digest(
        format!(
            "{ENGINE_ID}\n{digest_of_wasm}\n{settings}\n{grants:?}\n{} {}",
            limits.memory, limits.table_elements
        )
        .as_bytes(),
    )
}

fn snapshotted(key: &str) -> String {
    format!("{key}.cwasm")
}

fn unsnapshotted(key: &str) -> String {
    format!("{key}.unsnapshotted.cwasm")
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
        let sandbox = Sandbox::new(Mode::Prepare).map_err(PrepareError::Compile)?;
        let engine = &sandbox.engine;
        let (wasm, why) = match snapshot::take(engine, self.wasm, self.settings, self.grants, self.limits)? {
            Snapshot::Taken(wasm) => (wasm, None),
            Snapshot::Impossible(why) => (self.wasm.to_vec(), Some(why)),
        };
        let compiled = engine.precompile_component(&wasm);
        let compiled = compiled.map_err(|error| PrepareError::Compile(format!("{error:#}")))?;
        Ok(Prepared {
            compiled,
            unsnapshotted: why,
        })
    }
}

impl Sandbox {
    /// The plugin that was prepared under `key`; none where it was not, or was by another version.
    ///
    /// # Errors
    /// The cache is not safe to use, or the grants were taken away.
    pub fn load(
        &self,
        cache: &Cache,
        key: &str,
        settings: &str,
        grants: &Grants,
        limits: &Limits,
    ) -> Result<Option<Plugin>, PrepareError> {
        for (name, configure) in [
            (snapshotted(key), None),
            (unsnapshotted(key), Some(settings.to_string())),
        ] {
            let Some(file) = cache.open(&name)? else { continue };
            let Ok(component) = os::map(&self.engine, &file) else {
                cache.remove(&name);
                continue;
            };
            return Plugin::new(&self.engine, &component, grants.clone(), *limits, configure).map(Some);
        }
        Ok(None)
    }

    /// Keeps a prepared plugin in the cache.
    ///
    /// # Errors
    /// The cache cannot be written or is not safe.
    pub fn keep(&self, cache: &Cache, key: &str, prepared: &Prepared) -> Result<(), PrepareError> {
        let name = if prepared.unsnapshotted.is_some() {
            unsnapshotted(key)
        } else {
            snapshotted(key)
        };
        cache.store(&name, &prepared.compiled)
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
    ) -> Result<Plugin, PrepareError> {
        let component = os::load(&self.engine, &prepared.compiled);
        let component = component.map_err(|error| PrepareError::Compile(format!("{error:#}")))?;
        let configure = prepared.unsnapshotted.as_ref().map(|_| settings.to_string());
        Plugin::new(&self.engine, &component, grants.clone(), *limits, configure)
    }
}

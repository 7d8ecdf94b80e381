//! The import `state`: values kept between events, in one SQLite file that concurrent processes share.
//!
//! A plugin sees its own values alone: they stand under its identity, which the configuration gives and not the plugin.

use crate::bindings::hookbox::hook::state::{Host, Scope};
use crate::state::State;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::time::Duration;

/// Bytes that a write counts beside what it carries, of the host's work: it reaches the disk.
const WRITE: usize = 64 << 10;
/// Bytes of all keys and values of a plugin together.
const PLUGIN_BYTES: i64 = 1 << 20;
/// Keys of a plugin.
const PLUGIN_KEYS: i64 = 1_000;
/// Bytes of one key.
const KEY_BYTES: usize = 1 << 10;
/// How long one process waits for another's write; well inside the deadline of a call.
const BUSY: Duration = Duration::from_millis(300);

const SCHEMA: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS value (
        plugin TEXT NOT NULL, scope TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL,
        PRIMARY KEY (plugin, scope, key)
    ) WITHOUT ROWID;";

/// Opens the store, and makes it where there is none.
fn open(file: &Path) -> Result<Connection, String> {
    if let Some(folder) = file.parent() {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let opened = Connection::open(file).and_then(|connection| {
        connection.busy_timeout(BUSY)?;
        connection.execute_batch(SCHEMA)?;
        Ok(connection)
    });
    opened.map_err(|error| format!("{}: {error}", file.display()))
}

impl State {
    /// The store, opened once per call.
    fn values(&mut self) -> Result<(&mut Connection, String), String> {
        let plugin = self.grants.state.clone().ok_or("not granted")?;
        if self.values.is_none() {
            let file = self
                .event
                .values()
                .ok_or("there is no folder for state on this machine")?;
            self.values = Some(open(file)?);
        }
        self.values
            .as_mut()
            .map(|values| (values, plugin))
            .ok_or_else(|| "not open".into())
    }

    /// The place of a scope: a session's, a project's or the user's own values.
    fn place(&self, scope: Scope) -> String {
        let event = self.event.event();
        match scope {
            Scope::Session => format!("session {} {}", event.agent, event.session),
            Scope::Project => format!("project {}", event.project),
            Scope::User => "user".into(),
        }
    }
}

fn read(connection: &Connection, plugin: &str, place: &str, key: &str) -> rusqlite::Result<Option<Vec<u8>>> {
    let sql = "SELECT value FROM value WHERE plugin = ?1 AND scope = ?2 AND key = ?3";
    connection
        .query_row(sql, params![plugin, place, key], |row| row.get(0))
        .optional()
}

fn remove(connection: &Connection, plugin: &str, place: &str, key: &str) -> rusqlite::Result<()> {
    let sql = "DELETE FROM value WHERE plugin = ?1 AND scope = ?2 AND key = ?3";
    connection.execute(sql, params![plugin, place, key]).map(drop)
}

/// Writes a value and checks the quota; the transaction around it is rolled back where it is over.
fn write(connection: &Connection, plugin: &str, place: &str, key: &str, value: &[u8]) -> Result<(), String> {
    if key.len() > KEY_BYTES {
        return Err(format!("a key has at most {KEY_BYTES} bytes"));
    }
    let sql = "INSERT OR REPLACE INTO value (plugin, scope, key, value) VALUES (?1, ?2, ?3, ?4)";
    connection
        .execute(sql, params![plugin, place, key, value])
        .map_err(|error| error.to_string())?;
    let sql = "SELECT count(*), sum(length(key) + length(value)) FROM value WHERE plugin = ?1";
    let (keys, bytes): (i64, i64) = connection
        .query_row(sql, params![plugin], |row| Ok((row.get(0)?, row.get(1)?)))
        .map_err(|error| error.to_string())?;
    if keys > PLUGIN_KEYS || bytes > PLUGIN_BYTES {
        return Err(format!(
            "over the plugin's quota of {PLUGIN_KEYS} keys and {PLUGIN_BYTES} bytes"
        ));
    }
    Ok(())
}

impl Host for State {
    fn get(&mut self, scope: Scope, key: String) -> wasmtime::Result<Option<Vec<u8>>> {
        self.work(key.len(), 1)?;
        let place = self.place(scope);
        // Without its state a plugin must not decide as if there were none.
        let (connection, plugin) = self.values().map_err(wasmtime::Error::msg)?;
        Ok(read(connection, &plugin, &place, &key)?)
    }

    fn set(&mut self, scope: Scope, key: String, value: Option<Vec<u8>>) -> wasmtime::Result<Result<(), String>> {
        self.work(value.as_ref().map_or(0, Vec::len) + WRITE, 1)?;
        let place = self.place(scope);
        Ok(self.values().and_then(|(connection, plugin)| {
            let failed = |error: rusqlite::Error| error.to_string();
            let transaction = connection
                .transaction_with_behavior(TransactionBehavior::Immediate)
                .map_err(failed)?;
            match &value {
                Some(value) => write(&transaction, &plugin, &place, &key, value)?,
                None => remove(&transaction, &plugin, &place, &key).map_err(failed)?,
            }
            transaction.commit().map_err(failed)
        }))
    }

    fn add(&mut self, scope: Scope, key: String, delta: i64) -> wasmtime::Result<Result<i64, String>> {
        self.work(key.len() + WRITE, 1)?;
        let place = self.place(scope);
        Ok(self.values().and_then(|(connection, plugin)| {
            let failed = |error: rusqlite::Error| error.to_string();
            let transaction = connection
                .transaction_with_behavior(TransactionBehavior::Immediate)
                .map_err(failed)?;
            let old = read(&transaction, &plugin, &place, &key).map_err(failed)?;
            let old = match old.map(String::from_utf8) {
                None => 0,
                Some(text) => text
                    .ok()
                    .and_then(|text| text.parse::<i64>().ok())
                    .ok_or_else(|| format!("the value of {key:?} is not a number"))?,
            };
            let new = old.checked_add(delta).ok_or("the sum is out of range")?;
            write(&transaction, &plugin, &place, &key, new.to_string().as_bytes())?;
            transaction.commit().map_err(failed)?;
            Ok(new)
        }))
    }
}

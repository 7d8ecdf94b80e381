//! Where things lie on this machine.

use std::env;
use std::path::PathBuf;

/// What the engine takes from its surroundings; everything can be set, so that a test needs no real home.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// This file instead of the user, project and local layers.
    pub config: Option<PathBuf>,
    /// The folder of the managed layer.
    pub managed: Option<PathBuf>,
    /// The folder of the user layer.
    pub user: Option<PathBuf>,
    /// The project's root; none means the event's own.
    pub project: Option<PathBuf>,
    /// Where prepared plugins lie.
    pub cache: Option<PathBuf>,
    /// Where the audit and other state lie.
    pub state: Option<PathBuf>,
    pub home: Option<PathBuf>,
    /// The program that prepares plugins in a child process (`PROGRAM __prepare`); none: in this process.
    pub preparer: Option<PathBuf>,
}

impl Options {
    /// The places of this user on this machine.
    pub fn from_environment() -> Self {
        let folder = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = folder("HOME").filter(|home| home.is_absolute());
        let xdg = |name: &str, default: &str| {
            let set = folder(name).filter(|path| path.is_absolute());
            set.or_else(|| Some(home.as_ref()?.join(default)))
                .map(|path| path.join("hookbox"))
        };
        Options {
            config: None,
            managed: Some(PathBuf::from("/etc/hookbox")),
            user: xdg("XDG_CONFIG_HOME", ".config"),
            project: folder("CLAUDE_PROJECT_DIR").filter(|path| path.is_absolute()),
            cache: xdg("XDG_CACHE_HOME", ".cache"),
            state: xdg("XDG_STATE_HOME", ".local/state"),
            home,
            preparer: None,
        }
    }

    /// The same with the running program as preparer: for the program `hookbox` itself.
    #[must_use]
    pub fn preparing_with_this_program(mut self) -> Self {
        self.preparer = env::current_exe().ok();
        self
    }

    /// The file that plugins' state is kept in.
    pub fn values(&self) -> Option<PathBuf> {
        self.state.as_ref().map(|state| state.join("values.db"))
    }

    /// The home directory as text; empty where there is none.
    pub fn home_text(&self) -> String {
        self.home
            .as_ref()
            .map_or_else(String::new, |home| home.to_string_lossy().into_owned())
    }
}

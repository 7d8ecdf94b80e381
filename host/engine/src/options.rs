//! Where things lie on this machine.

use hookbox_sandbox::World;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

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
    /// Where this process was started: the session's folder for an agent that does not say it.
    pub cwd: Option<PathBuf>,
    /// Where prepared plugins lie.
    pub cache: Option<PathBuf>,
    /// Where the audit and other state lie.
    pub state: Option<PathBuf>,
    pub home: Option<PathBuf>,
    /// The program that prepares plugins in a child process (`PROGRAM __prepare`); none: in this process.
    pub preparer: Option<PathBuf>,
    /// The variables of the environment that named one of these folders.
    pub named: Vec<(&'static str, PathBuf)>,
    /// Nothing told where the user's configuration is: it may hold a guard.
    pub no_user: bool,
    /// What stands in the place of this machine; nothing outside of tests.
    pub world: World,
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
        let names = ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"];
        let named = names
            .into_iter()
            .filter_map(|name| Some((name, folder(name)?)))
            .collect();
        let user = xdg("XDG_CONFIG_HOME", ".config");
        Options {
            named,
            no_user: user.is_none(),
            config: None,
            cwd: env::current_dir().ok(),
            managed: Some(PathBuf::from("/etc/hookbox")),
            user,
            project: folder("CLAUDE_PROJECT_DIR").filter(|path| path.is_absolute()),
            cache: xdg("XDG_CACHE_HOME", ".cache"),
            state: xdg("XDG_STATE_HOME", ".local/state"),
            home,
            preparer: None,
            world: World::default(),
        }
    }

    /// The same with the running program as preparer: for the program `hookbox` itself.
    #[must_use]
    pub fn preparing_with_this_program(mut self) -> Self {
        // The file that runs, whatever its name stands for by now; found without a call of the system.
        self.preparer = if cfg!(target_os = "linux") {
            Some("/proc/self/exe".into())
        } else {
            env::current_exe().ok()
        };
        self
    }

    /// The file that plugins' state is kept in.
    pub fn values(&self) -> Option<PathBuf> {
        self.state.as_ref().map(|state| state.join("values.db"))
    }

    /// What of the surroundings keeps hookbox from judging an event of the project in `folders`, in words.
    ///
    /// A repository can set variables of the agent (its settings, a `.envrc`). One that moves the user's folders into the
    /// repository would take the user's guards away, or have native code of the repository run.
    pub(crate) fn fault(&self, folders: &[&str]) -> Option<String> {
        if self.no_user && self.config.is_none() {
            let hint = "set HOME, or name a file with --config";
            return Some(format!(
                "there is no home directory, so the user's configuration cannot be found\nhint: {hint}"
            ));
        }
        // Where nothing was moved, nothing was moved into the project.
        if self.named.is_empty() {
            return None;
        }
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let mut projects: Vec<PathBuf> = folders
            .iter()
            .filter(|f| !f.is_empty())
            .map(|f| real(Path::new(f)))
            .collect();
        projects.dedup();
        // Who works in the home directory itself has these folders in the project, and nobody moved them there.
        let moved_into = |folder: &Path, project: &PathBuf| {
            let with_home = self.home.as_deref().is_some_and(|home| real(home).starts_with(project));
            real(folder).starts_with(project) && !with_home
        };
        let moved = |(_, folder): &&(&str, PathBuf)| projects.iter().any(|project| moved_into(folder, project));
        if let Some((name, folder)) = self.named.iter().find(moved) {
            return Some(format!(
                "{name} is {}, a folder of the project: the project could say what is forbidden in it\nhint: unset {name}",
                folder.display()
            ));
        }
        self.left_behind()
    }

    /// A variable that leads away from the user's configuration, to where there is none.
    fn left_behind(&self) -> Option<String> {
        let (name, folder) = self.named.iter().find(|(name, _)| *name == "XDG_CONFIG_HOME")?;
        let usual = self.home.as_ref()?.join(".config/hookbox");
        if self.config.is_some() || folder.join("hookbox").exists() || !usual.exists() {
            return None;
        }
        Some(format!(
            "{name} is {}, where nothing of hookbox is, and {} would be passed over\nhint: unset {name}, or move the folder",
            folder.display(),
            usual.display()
        ))
    }

    /// The home directory as text; empty where there is none.
    pub fn home_text(&self) -> String {
        self.home
            .as_ref()
            .map_or_else(String::new, |home| home.to_string_lossy().into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(named: &[(&'static str, &str)]) -> Options {
        Options {
            named: named.iter().map(|(name, path)| (*name, PathBuf::from(path))).collect(),
            home: Some("/nobody".into()),
            ..Options::default()
        }
    }

    #[test]
    fn a_folder_that_the_environment_moves_into_the_project_is_not_used() {
        let fault = |named: &[(&'static str, &str)], folders: &[&str]| options(named).fault(folders);
        assert_eq!(fault(&[("XDG_CACHE_HOME", "/project-cache")], &["/project"]), None);
        for name in ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"] {
            let text = fault(&[(name, "/project/.x")], &["/project"]).unwrap_or_default();
            assert!(text.starts_with(&format!("{name} is /project/.x")), "{text}");
        }
        assert!(fault(&[("XDG_CONFIG_HOME", "/real/.x")], &["/claimed", "/real"]).is_some());
    }

    #[test]
    fn a_folder_above_the_home_takes_no_fault_of_the_project_away() {
        let options = options(&[("XDG_CONFIG_HOME", "/project/.x")]);
        assert!(options.fault(&["/project", "/"]).is_some());
        assert!(options.fault(&["/", "/project"]).is_some());
        assert_eq!(options.fault(&["/"]), None, "nobody moved it there");
    }

    #[test]
    fn a_variable_that_leads_away_from_the_users_configuration_is_told() {
        let home = tempfile::tempdir().expect("a folder");
        let elsewhere = home.path().join("elsewhere");
        let mut options = options(&[]);
        options.named = vec![("XDG_CONFIG_HOME", elsewhere.clone())];
        options.home = Some(home.path().into());
        assert_eq!(options.fault(&[]), None, "nothing is left behind");
        fs::create_dir_all(home.path().join(".config/hookbox")).expect("a folder");
        assert!(options.fault(&[]).unwrap_or_default().contains("passed over"));
        fs::create_dir_all(elsewhere.join("hookbox")).expect("a folder");
        assert_eq!(options.fault(&[]), None, "it was moved");
    }

    #[test]
    fn who_works_in_the_home_directory_itself_is_not_kept_from_it() {
        let options = options(&[("XDG_CONFIG_HOME", "/nobody/.config")]);
        assert_eq!(options.fault(&["/nobody"]), None);
        assert_eq!(options.fault(&["/nobody/project"]), None);
    }

    #[test]
    fn without_a_home_the_users_configuration_cannot_be_known() {
        let mut options = Options {
            no_user: true,
            ..Options::default()
        };
        assert!(options.fault(&[]).unwrap_or_default().contains("no home directory"));
        options.config = Some("hooks.json".into());
        assert_eq!(options.fault(&[]), None);
    }
}

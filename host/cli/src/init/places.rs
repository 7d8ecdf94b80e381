//! Where each agent keeps its hooks and in which shape: the one table of `init`.

use std::path::{Path, PathBuf};

/// For whom the entry is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Every project of this user.
    User,
    /// This project, for everyone who works in it.
    Project,
}

/// How an agent's file holds its hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `{"hooks": {EVENT: [{"matcher", "hooks": [{"type", "command", "timeout"}]}]}}`
    Groups,
    /// `{"NAME": {EVENT: [group]}}`, one object for each set of hooks.
    NamedGroups,
    /// `{"version": 1, "hooks": {EVENT: [handler]}}`, the command under this key.
    Flat {
        command: &'static str,
        timeout: Option<&'static str>,
    },
    /// `{"version": "v1", "hooks": [{"name", "trigger", "action"}]}`
    Triggers,
    /// A folder of executables, one for each event.
    Executables,
    /// A plugin in JavaScript.
    Plugin,
}

/// One agent's row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) agent: &'static str,
    pub(crate) shape: Shape,
    /// Under the home directory.
    pub(crate) user: &'static str,
    /// Under the project's root.
    pub(crate) project: &'static str,
    /// What tells that the agent is on this machine: a folder under the home directory, a program.
    pub(crate) folder: &'static str,
    pub(crate) program: &'static str,
    /// A variable that moves a folder under the home directory, or that directory itself, for this agent: its name, the folder.
    pub(crate) moved_by: Option<(&'static str, &'static str)>,
    /// Further keys of a handler that make the agent close when the hook fails.
    pub(crate) closing: &'static [(&'static str, &'static str)],
}

const fn place(agent: &'static str, shape: Shape, user: &'static str, project: &'static str) -> Place {
    Place {
        agent,
        shape,
        user,
        project,
        folder: "",
        program: "",
        moved_by: None,
        closing: &[],
    }
}

const FLAT: Shape = Shape::Flat {
    command: "command",
    timeout: Some("timeout"),
};

pub(crate) const PLACES: &[Place] = &[
    Place {
        folder: ".claude",
        program: "claude",
        moved_by: Some(("CLAUDE_CONFIG_DIR", ".claude")),
        closing: &[("onFailure", "block")],
        ..place(
            "claude-code",
            Shape::Groups,
            ".claude/settings.json",
            ".claude/settings.json",
        )
    },
    Place {
        folder: ".codex",
        program: "codex",
        moved_by: Some(("CODEX_HOME", ".codex")),
        ..place("codex", Shape::Groups, ".codex/hooks.json", ".codex/hooks.json")
    },
    Place {
        folder: ".gemini",
        program: "gemini",
        moved_by: Some(("GEMINI_CLI_HOME", "")),
        ..place(
            "gemini",
            Shape::Groups,
            ".gemini/settings.json",
            ".gemini/settings.json",
        )
    },
    Place {
        folder: ".copilot",
        program: "copilot",
        moved_by: Some(("COPILOT_HOME", ".copilot")),
        ..place(
            "copilot",
            Shape::Flat {
                command: "bash",
                timeout: Some("timeoutSec"),
            },
            ".copilot/hooks/hookbox.json",
            ".github/hooks/hookbox.json",
        )
    },
    Place {
        folder: ".cursor",
        program: "cursor-agent",
        closing: &[("failClosed", "true")],
        ..place("cursor", FLAT, ".cursor/hooks.json", ".cursor/hooks.json")
    },
    Place {
        folder: ".qwen",
        program: "qwen",
        moved_by: Some(("QWEN_HOME", ".qwen")),
        ..place("qwen", Shape::Groups, ".qwen/settings.json", ".qwen/settings.json")
    },
    Place {
        folder: ".config/opencode",
        program: "opencode",
        moved_by: Some(("XDG_CONFIG_HOME", ".config")),
        ..place(
            "opencode",
            Shape::Plugin,
            ".config/opencode/plugins/hookbox.js",
            ".opencode/plugins/hookbox.js",
        )
    },
    Place {
        folder: ".vscode",
        program: "code",
        ..place(
            "vscode",
            FLAT,
            ".copilot/hooks/hookbox-vscode.json",
            ".github/hooks/hookbox-vscode.json",
        )
    },
    Place {
        folder: ".factory",
        program: "droid",
        ..place("droid", Shape::Groups, ".factory/hooks.json", ".factory/hooks.json")
    },
    Place {
        folder: ".codeium/windsurf",
        program: "windsurf",
        ..place(
            "windsurf",
            Shape::Flat {
                command: "command",
                timeout: None,
            },
            ".codeium/windsurf/hooks.json",
            ".windsurf/hooks.json",
        )
    },
    Place {
        folder: ".kiro",
        program: "kiro-cli",
        ..place(
            "kiro",
            Shape::Triggers,
            ".kiro/hooks/hookbox.json",
            ".kiro/hooks/hookbox.json",
        )
    },
    Place {
        folder: ".config/goose",
        program: "goose",
        closing: &[("on_failure", "block")],
        ..place(
            "goose",
            Shape::Groups,
            ".agents/plugins/hookbox/hooks/hooks.json",
            ".agents/plugins/hookbox/hooks/hooks.json",
        )
    },
    Place {
        folder: "Documents/Cline",
        program: "cline",
        ..place(
            "cline",
            Shape::Executables,
            "Documents/Cline/Hooks",
            ".clinerules/hooks",
        )
    },
    Place {
        folder: ".antigravity",
        program: "agy",
        ..place(
            "antigravity",
            Shape::NamedGroups,
            ".gemini/config/hooks.json",
            ".agents/hooks.json",
        )
    },
];

/// The row of an agent.
pub(crate) fn find(agent: &str) -> Option<&'static Place> {
    PLACES.iter().find(|place| place.agent == agent)
}

/// What the places are relative to.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub(crate) home: PathBuf,
    pub(crate) project: PathBuf,
    /// Values of the environment, by name.
    pub(crate) variable: fn(&str) -> Option<PathBuf>,
}

impl Place {
    /// The file (or folder) that holds this agent's hooks.
    pub(crate) fn path(&self, scope: Scope, machine: &Machine) -> PathBuf {
        match scope {
            Scope::Project => machine.project.join(self.project),
            Scope::User => self.under_folder(self.user, machine),
        }
    }

    /// A path under the agent's folder, which a variable may have moved.
    pub(crate) fn under_folder(&self, path: &str, machine: &Machine) -> PathBuf {
        let moved = self.moved_by.and_then(|(name, folder)| {
            let rest = Path::new(path).strip_prefix(folder).ok()?;
            Some((machine.variable)(name)?.join(rest))
        });
        moved.unwrap_or_else(|| machine.home.join(path))
    }

    /// Whether the agent seems to be on this machine.
    pub(crate) fn is_here(&self, machine: &Machine) -> bool {
        let on_path = || {
            let path = (machine.variable)("PATH").unwrap_or_default();
            std::env::split_paths(path.as_os_str()).any(|folder| folder.join(self.program).is_file())
        };
        self.under_folder(self.folder, machine).is_dir() || on_path()
    }
}

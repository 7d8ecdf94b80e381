//! What controls the agent, its guards and the user's session: files that are protected wherever they are.

use hookbox_pack::Severity::{self, Ask, Block, Strict};
use hookbox_pack::{glob, spell};

/// One kind of protected file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Protected {
    pub rule: &'static str,
    /// What a change of its content is.
    pub severity: Severity,
    /// Where: globs of the folded path, separated by blanks (no path has one here). `~` is a home folder, a leading `**/` any
    /// folder.
    globs: &'static str,
    pub reason: &'static str,
}

const fn row(rule: &'static str, severity: Severity, globs: &'static str, reason: &'static str) -> Protected {
    Protected {
        rule,
        severity,
        globs,
        reason,
    }
}

const AGENT: &str =
    "this file decides what the agent may do, so the agent does not change it: tell the user what to change in it";
const HOOKBOX: &str = "this belongs to hookbox, which guards this session: ask the user to change it";
const GIT_HOOK: &str =
    "git runs this file by itself: show the user the hook, or propose one under a folder of the project";
const STARTUP: &str = "this file runs whenever a shell or a session starts: tell the user which line to add, or set the variable in the command itself";
const SSH: &str = "this decides who may log in and with which keys: tell the user what to change";
const SCHEDULED: &str = "this makes a program start by itself: tell the user what to install and why";

/// The table. The first row that fits decides.
pub(crate) const TABLE: &[Protected] = &[
    // What an agent writes for itself: plans, memory, notes on tasks.
    row(
        "",
        Strict,
        "~/.claude/plans/** ~/.claude/projects/*/memory/** ~/.claude/todos/** ~/.claude/tasks/** ~/.codex/memories/** ~/.gemini/tmp/**",
        "",
    ),
    row(
        "hookbox",
        Block,
        "**/.hookbox ~/.config/hookbox ~/.local/share/hookbox ~/.cache/hookbox ~/library/*/hookbox /etc/hookbox /var/lib/hookbox",
        HOOKBOX,
    ),
    row(
        "hookbox",
        Block,
        "**/bin/hookbox **/hookbox.exe ~/.local/bin/hookbox /opt/hookbox",
        HOOKBOX,
    ),
    row(
        "agent-settings",
        Block,
        "**/.claude/settings*.json ~/.claude.json /etc/claude-code **/claudecode/managed-*.json ~/.claude/plugins",
        AGENT,
    ),
    row(
        "agent-hooks",
        Block,
        "**/.claude/hooks **/.codex/hooks **/.codex/hooks.json **/.gemini/hooks **/.cursor/hooks **/.cursor/hooks.json **/.github/hooks **/.windsurf/hooks.json **/.kiro/hooks **/.qwen/hooks **/.copilot/hooks **/.factory/hooks **/.augment/hooks **/.opencode/plugin **/.opencode/plugins ~/.config/opencode/plugin ~/.config/opencode/plugins",
        AGENT,
    ),
    row(
        "agent-settings",
        Block,
        "**/.codex/config.toml **/.codex/rules /etc/codex **/.gemini/settings.json **/.gemini/policies **/.gemini/trustedfolders.json **/.cursor/mcp.json **/.cursor/cli.json **/.cursor/permissions.json **/.cursor/sandbox.json **/.qwen/settings.json **/.factory/settings*.json **/.augment/settings.json **/.kiro/settings **/.codeium/windsurf/mcp_config.json **/opencode.json* ~/.copilot ~/.config/github-copilot ~/.config/amp **/.amazonq/cli-agents **/.dsh/settings*.json",
        AGENT,
    ),
    row(
        "agent-settings",
        Ask,
        "**/.mcp.json ~/.claude ~/.codex ~/.gemini ~/.cursor",
        AGENT,
    ),
    row("git-hooks", Block, "**/.git/hooks **/.git/modules/*/hooks", GIT_HOOK),
    row(
        "",
        Strict,
        "**/.git/info/exclude **/.git/commit_editmsg **/.git/merge_msg **/.git/squash_msg",
        "",
    ),
    row(
        "git-config",
        Ask,
        "**/.git/config **/.git/config.worktree **/.git/info/attributes ~/.gitconfig ~/.config/git",
        "git reads commands from this file: use `git config KEY VALUE` for a plain value, or ask the user",
    ),
    row(
        "shell-startup",
        Block,
        "~/.bashrc ~/.bash_profile ~/.bash_login ~/.bash_logout ~/.bash_aliases ~/.profile ~/.zshrc ~/.zshenv ~/.zprofile ~/.zlogin ~/.zlogout ~/.kshrc ~/.cshrc ~/.tcshrc ~/.config/fish ~/.config/zsh ~/.config/nushell ~/.inputrc ~/.pam_environment ~/.xprofile ~/.xinitrc ~/.xsession ~/.xsessionrc **/microsoft.powershell_profile.ps1 ~/.config/powershell **/windowspowershell/profile.ps1 /etc/profile /etc/profile.d /etc/bash.bashrc /etc/zsh /etc/environment",
        STARTUP,
    ),
    row("", Strict, "~/.ssh/known_hosts*", ""),
    row("ssh", Block, "~/.ssh /etc/ssh", SSH),
    row(
        "scheduled",
        Block,
        "/etc/cron* /var/spool/cron ~/.config/systemd /etc/systemd /usr/lib/systemd /lib/systemd ~/.config/autostart ~/library/launchagents /library/launchagents /library/launchdaemons /etc/init.d /etc/rc.local **/start_menu/programs/startup ~/.local/share/systemd",
        SCHEDULED,
    ),
    row(
        "credentials",
        Ask,
        "~/.aws ~/.kube ~/.docker ~/.gnupg ~/.netrc ~/.npmrc ~/.pypirc ~/.azure ~/.config/gcloud ~/.git-credentials ~/.cargo/credentials* ~/.config/gh",
        "this file holds the user's credentials: ask the user to log in with the tool that owns it",
    ),
    row(
        "program-in-path",
        Ask,
        "~/.local/bin ~/bin ~/.cargo/bin ~/go/bin ~/.cargo/config* ~/.config/pip ~/.pip ~/.config/nvim ~/.vimrc ~/.emacs* ~/.tmux.conf",
        "what is here runs outside this project: build into the project, and tell the user how to install it",
    ),
    row(
        "project-hooks",
        Strict,
        "**/.husky **/.pre-commit-config.yaml **/lefthook.y*ml **/.github/workflows **/.gitlab-ci.yml **/.vscode/settings.json **/.vscode/tasks.json **/.envrc **/.claude/commands **/.claude/agents **/.claude/skills",
        "this runs by itself, for others too: let the user look at the change",
    ),
];

/// What protects this absolute path, if anything does. An empty rule: it is plainly allowed.
pub(crate) fn protected(path: &str, home: &str) -> Option<&'static Protected> {
    let folded = spell::folded(path).replace(' ', "_");
    let relative = home_relative(&folded, &spell::folded(home));
    TABLE.iter().find(|row| {
        row.globs
            .split(' ')
            .any(|glob| fits(glob, &folded, relative.as_deref()))
    })
}

/// Folders that hold something of the table: to delete or move one is to delete that.
const HOLDERS: [(&str, &str); 8] = [
    (".claude", "agent-settings"),
    (".codex", "agent-settings"),
    (".gemini", "agent-settings"),
    (".cursor", "agent-settings"),
    (".qwen", "agent-settings"),
    (".copilot", "agent-settings"),
    (".factory", "agent-settings"),
    ("hooks", "git-hooks"),
];

/// What is lost with a whole folder; none where the folder is nobody's.
pub(crate) fn holder(path: &str) -> Option<&'static Protected> {
    let folded = spell::folded(path);
    let (folder, name) = folded.rsplit_once('/')?;
    let (_, rule) = HOLDERS.iter().find(|(holder, _)| *holder == name)?;
    if name == "hooks" && !folder.ends_with("/.git") {
        return None;
    }
    TABLE.iter().find(|row| row.rule == *rule)
}

/// One path for each kind of protected file, below the project or the home folder: what a glob may mean.
pub(crate) const EXAMPLES: [&str; 16] = [
    ".claude",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/hooks",
    ".claude/hooks/hook.sh",
    ".codex",
    ".codex/config.toml",
    ".cursor/hooks.json",
    ".hookbox",
    ".hookbox/hooks.json",
    ".git/hooks",
    ".git/hooks/pre-commit",
    ".bashrc",
    ".zshrc",
    ".profile",
    ".ssh/authorized_keys",
];

/// `~/x` of a path in any user's home folder.
fn home_relative(path: &str, home: &str) -> Option<String> {
    if !home.is_empty() && home != "/" && spell::inside(path, home) {
        return Some(format!("~{}", &path[home.trim_end_matches('/').len()..]));
    }
    if let Some(rest) = path.strip_prefix("/root/") {
        return Some(format!("~/{rest}"));
    }
    let rest = ["/home/", "/users/", "/c/users/"]
        .iter()
        .find_map(|homes| path.strip_prefix(homes))?;
    rest.split_once('/').map(|(_, rest)| format!("~/{rest}"))
}

/// Whether the glob means the path or a folder that holds it.
fn fits(pattern: &str, path: &str, relative: Option<&str>) -> bool {
    if let Some(tail) = pattern.strip_prefix("**/") {
        // Cheap and common: no star in the tail.
        return path.match_indices('/').any(|(at, _)| covers(tail, &path[at + 1..]));
    }
    match pattern.starts_with('~') {
        true => relative.is_some_and(|relative| covers(pattern, relative)),
        false => covers(pattern, path),
    }
}

/// The pattern, and what is below it.
fn covers(pattern: &str, path: &str) -> bool {
    if !pattern.contains('*') {
        return spell::inside(path, pattern);
    }
    let literal = &pattern[..pattern.find('*').unwrap_or(0)];
    path.starts_with(literal) && (glob::matches(pattern, path) || glob::matches(&format!("{pattern}/**"), path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(path: &str) -> Option<&'static str> {
        protected(path, "/home/user")
            .map(|row| row.rule)
            .filter(|rule| !rule.is_empty())
    }

    #[test]
    fn what_controls_the_agent_is_protected_in_every_place() {
        for (path, expected) in [
            ("/srv/demo/.claude/settings.json", "agent-settings"),
            ("/srv/demo/.claude/settings.local.json", "agent-settings"),
            ("/srv/demo/.CLAUDE/Settings.json", "agent-settings"),
            ("/srv/demo/.claude/hooks/guard.sh", "agent-hooks"),
            ("/home/user/.claude/hooks", "agent-hooks"),
            ("/home/user/.codex/config.toml", "agent-settings"),
            ("/srv/demo/.cursor/hooks.json", "agent-hooks"),
            ("/srv/demo/.github/hooks/x.json", "agent-hooks"),
            ("/srv/demo/.hookbox/hooks.json", "hookbox"),
            ("/home/user/.config/hookbox/hooks.json", "hookbox"),
            ("/usr/local/bin/hookbox", "hookbox"),
            ("/srv/demo/.git/hooks/pre-commit", "git-hooks"),
            ("/srv/demo/.g\u{200c}it/hooks/pre-commit", "git-hooks"),
            ("/home/user/.bashrc", "shell-startup"),
            ("/home/ann/.zshrc", "shell-startup"),
            ("/root/.ssh/authorized_keys", "ssh"),
            ("/etc/cron.d/x", "scheduled"),
            ("/home/user/.config/systemd/user/x.service", "scheduled"),
        ] {
            assert_eq!(rule(path), Some(expected), "{path}");
        }
    }

    #[test]
    fn the_work_of_a_project_is_not() {
        for path in [
            "/srv/demo/src/main.rs",
            "/srv/demo/.gitignore",
            "/srv/demo/hooks/useState.ts",
            "/srv/demo/.git/info/exclude",
            "/home/user/.claude/plans/a.md",
            "/home/user/.claude/projects/-srv-demo/memory/MEMORY.md",
            "/srv/demo/dotfiles/.bashrc",
            "/srv/demo/claude/settings.json",
            "/srv/demo/.claude-notes.md",
            "/srv/demo/config/hookbox.md",
            "/home/user/demo/CLAUDE.md",
        ] {
            assert_eq!(rule(path), None, "{path}");
        }
    }
}

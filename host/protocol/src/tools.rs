//! The names of tools: those an agent is known to have, and the former names of renamed ones.

/// Tools of Claude Code 2.1.332 by their present names; `mcp__…` tools come beside them.
pub const KNOWN: &[&str] = &[
    "Agent",
    "AskUserQuestion",
    "Bash",
    "CronCreate",
    "CronDelete",
    "CronList",
    "Edit",
    "EnterPlanMode",
    "EnterWorktree",
    "ExitPlanMode",
    "ExitWorktree",
    "Glob",
    "Grep",
    "LSP",
    "ListAgents",
    "ListMcpResourcesTool",
    "Monitor",
    "MultiEdit",
    "NotebookEdit",
    "PowerShell",
    "PushNotification",
    "Read",
    "ReadMcpResourceDirTool",
    "ReadMcpResourceTool",
    "RemoteTrigger",
    "SendMessage",
    "SendUserMessage",
    "SetGoal",
    "Skill",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "TaskUpdate",
    "TeamCreate",
    "TeamDelete",
    "TodoWrite",
    "ToolSearch",
    "WebFetch",
    "WebSearch",
    "Workflow",
    "Write",
];

/// (former name, present name). A matcher with the former name still matches the tool.
pub const RENAMED: &[(&str, &str)] = &[
    ("Task", "Agent"),
    ("KillShell", "TaskStop"),
    ("KillBash", "TaskStop"),
    ("ListPeers", "ListAgents"),
    ("Brief", "SendUserMessage"),
    ("ListMcpResources", "ListMcpResourcesTool"),
    ("ReadMcpResource", "ReadMcpResourceTool"),
    ("ReadMcpResourceDir", "ReadMcpResourceDirTool"),
    ("ProposeGoal", "SetGoal"),
];

/// (name in a matcher, tool of Codex that it stands for as well).
pub const CODEX_ALIASES: &[(&str, &str)] = &[
    ("Edit", "apply_patch"),
    ("Write", "apply_patch"),
    ("Agent", "spawn_agent"),
];

/// The former names of a tool.
pub fn former_names(present: &str) -> impl Iterator<Item = &'static str> {
    RENAMED
        .iter()
        .filter(move |(_, now)| *now == present)
        .map(|(former, _)| *former)
}

/// The present name of a tool that was renamed; any other name as it is.
pub fn present_name(name: &str) -> &str {
    RENAMED
        .iter()
        .find(|(former, _)| *former == name)
        .map_or(name, |(_, now)| now)
}

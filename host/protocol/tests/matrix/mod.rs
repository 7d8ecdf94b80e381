//! What every agent can send about the same action: one row per action, the agents' own tools and inputs in it.

use serde_json::{Value, json};

pub(crate) const CWD: &str = "/srv/demo";

/// A call about to run, as the agent sends it. `tool` and `input` are the agent's own.
pub(crate) fn call(agent: &str, tool: &str, input: Value) -> Value {
    match agent {
        "gemini" => {
            json!({"hook_event_name": "BeforeTool", "session_id": "s-1", "cwd": CWD, "timestamp": "2026-01-01T00:00:00Z",
            "tool_name": tool, "tool_input": input})
        }
        "copilot" => json!({"sessionId": "s-1", "timestamp": 1, "cwd": CWD, "toolName": tool, "toolArgs": input}),
        "cursor" => {
            json!({"hook_event_name": "preToolUse", "conversation_id": "s-1", "cursor_version": "2", "cwd": CWD,
            "workspace_roots": [CWD], "tool_name": tool, "tool_input": input})
        }
        "vscode" => {
            json!({"hookEventName": "PreToolUse", "sessionId": "s-1", "cwd": CWD, "tool_name": tool, "tool_input": input})
        }
        "windsurf" => json!({"agent_action_name": tool, "trajectory_id": "s-1", "tool_info": input}),
        "kiro" => {
            json!({"hook_event_name": "preToolUse", "session_id": "s-1", "cwd": CWD, "tool_name": tool, "tool_input": input})
        }
        "goose" => {
            json!({"event": "PreToolUse", "session_id": "s-1", "working_dir": CWD, "tool_name": tool, "tool_input": input})
        }
        "cline" => json!({"hookName": "PreToolUse", "taskId": "s-1", "clineVersion": "3", "workspaceRoots": [CWD],
            "preToolUse": {"toolName": tool, "parameters": input}}),
        "antigravity" => {
            json!({"conversationId": "s-1", "stepIdx": 1, "workspacePaths": [CWD], "toolCall": {"name": tool, "args": input}})
        }
        _ => {
            json!({"hook_event_name": "PreToolUse", "session_id": "s-1", "cwd": CWD, "tool_name": tool, "tool_input": input})
        }
    }
}

/// The action, the canonical tool, and (agent, tool, input) for every agent that has such a tool.
pub(crate) type Row = (&'static str, &'static str, Vec<(&'static str, &'static str, Value)>);

pub(crate) fn matrix() -> Vec<Row> {
    let command = || json!({"command": "rm -rf x"});
    vec![
        (
            "bash: rm -rf x",
            "Bash",
            vec![
                ("claude-code", "Bash", command()),
                ("codex", "Bash", command()),
                ("codex", "shell", json!({"command": ["rm", "-rf", "x"]})),
                ("codex", "exec_command", json!({"cmd": "rm -rf x"})),
                ("codex", "shell_command", command()),
                ("codex", "local_shell", command()),
                ("codex", "write_stdin", json!({"session_id": 1, "chars": "rm -rf x"})),
                ("gemini", "run_shell_command", command()),
                ("copilot", "bash", command()),
                ("copilot", "bash", json!(command().to_string())),
                ("copilot", "Bash", command()),
                ("copilot", "local_shell", command()),
                ("copilot", "write_bash", json!({"sessionId": "1", "input": "rm -rf x"})),
                ("cursor", "Shell", command()),
                ("qwen", "run_shell_command", command()),
                ("opencode", "bash", command()),
                ("vscode", "run_in_terminal", command()),
                ("vscode", "send_to_terminal", command()),
                ("droid", "Execute", command()),
                (
                    "windsurf",
                    "pre_run_command",
                    json!({"command_line": "rm -rf x", "cwd": CWD}),
                ),
                ("kiro", "execute_bash", command()),
                ("kiro", "shell", command()),
                ("goose", "developer__shell", command()),
                ("cline", "execute_command", command()),
                (
                    "antigravity",
                    "run_command",
                    json!({"CommandLine": "rm -rf x", "Cwd": CWD}),
                ),
                (
                    "antigravity",
                    "send_command_input",
                    json!({"CommandId": "1", "Input": "rm -rf x"}),
                ),
            ],
        ),
        (
            "bash: cd /etc && rm -rf x",
            "Bash",
            vec![
                (
                    "gemini",
                    "run_shell_command",
                    json!({"command": "rm -rf x", "dir_path": "/etc"}),
                ),
                (
                    "qwen",
                    "run_shell_command",
                    json!({"command": "rm -rf x", "directory": "/etc"}),
                ),
                ("opencode", "bash", json!({"command": "rm -rf x", "workdir": "/etc"})),
                (
                    "antigravity",
                    "run_command",
                    json!({"CommandLine": "rm -rf x", "Cwd": "/etc"}),
                ),
                ("codex", "exec_command", json!({"cmd": "rm -rf x", "workdir": "/etc"})),
            ],
        ),
        (
            "read /srv/demo/a",
            "Read",
            vec![
                ("claude-code", "Read", json!({"file_path": "/srv/demo/a"})),
                ("gemini", "read_file", json!({"file_path": "a"})),
                ("gemini", "read_file", json!({"absolute_path": "/srv/demo/a"})),
                ("copilot", "view", json!({"path": "/srv/demo/a"})),
                ("cursor", "Read", json!({"file_path": "a"})),
                ("qwen", "read_file", json!({"absolute_path": "/srv/demo/a"})),
                ("opencode", "read", json!({"filePath": "a"})),
                (
                    "vscode",
                    "read_file",
                    json!({"filePath": "/srv/demo/a", "startLine": 1}),
                ),
                ("droid", "Read", json!({"file_path": "a"})),
                ("windsurf", "pre_read_code", json!({"file_path": "/srv/demo/a"})),
                (
                    "kiro",
                    "fs_read",
                    json!({"operations": [{"mode": "Line", "path": "/srv/demo/a"}]}),
                ),
                ("goose", "developer__read", json!({"path": "/srv/demo/a"})),
                ("cline", "read_file", json!({"path": "a"})),
                ("antigravity", "view_file", json!({"AbsolutePath": "/srv/demo/a"})),
            ],
        ),
        (
            "write /srv/demo/a: x",
            "Write",
            vec![
                ("claude-code", "Write", json!({"file_path": "a", "content": "x"})),
                ("gemini", "write_file", json!({"file_path": "a", "content": "x"})),
                ("copilot", "create", json!({"path": "a", "file_text": "x"})),
                ("cursor", "Write", json!({"file_path": "a", "content": "x"})),
                ("qwen", "write_file", json!({"file_path": "a", "content": "x"})),
                ("opencode", "write", json!({"filePath": "a", "content": "x"})),
                ("vscode", "create_file", json!({"filePath": "a", "content": "x"})),
                ("droid", "Create", json!({"file_path": "a", "content": "x"})),
                ("goose", "developer__write", json!({"path": "a", "content": "x"})),
                ("cline", "write_to_file", json!({"path": "a", "content": "x"})),
                (
                    "antigravity",
                    "write_to_file",
                    json!({"TargetFile": "/srv/demo/a", "CodeContent": "x"}),
                ),
            ],
        ),
        (
            "write /srv/demo/a: y",
            "Edit",
            vec![
                (
                    "claude-code",
                    "Edit",
                    json!({"file_path": "a", "old_string": "x", "new_string": "y"}),
                ),
                (
                    "gemini",
                    "replace",
                    json!({"file_path": "a", "old_string": "x", "new_string": "y"}),
                ),
                ("copilot", "edit", json!({"path": "a", "old_str": "x", "new_str": "y"})),
                (
                    "cursor",
                    "StrReplace",
                    json!({"path": "a", "old_string": "x", "new_string": "y"}),
                ),
                ("cline", "replace_in_file", json!({"path": "a", "diff": "y"})),
                (
                    "kiro",
                    "fs_write",
                    json!({"command": "create", "path": "/srv/demo/a", "file_text": "y"}),
                ),
                (
                    "qwen",
                    "edit",
                    json!({"file_path": "a", "old_string": "x", "new_string": "y"}),
                ),
                (
                    "opencode",
                    "edit",
                    json!({"filePath": "a", "oldString": "x", "newString": "y"}),
                ),
                (
                    "vscode",
                    "replace_string_in_file",
                    json!({"filePath": "a", "oldString": "x", "newString": "y"}),
                ),
                (
                    "droid",
                    "Edit",
                    json!({"file_path": "a", "old_string": "x", "new_string": "y"}),
                ),
                (
                    "windsurf",
                    "pre_write_code",
                    json!({"file_path": "/srv/demo/a", "edits": [{"old_string": "x", "new_string": "y"}]}),
                ),
                (
                    "kiro",
                    "fs_write",
                    json!({"command": "str_replace", "path": "/srv/demo/a", "old_str": "x", "new_str": "y"}),
                ),
                (
                    "goose",
                    "developer__text_editor",
                    json!({"command": "write", "path": "/srv/demo/a", "file_text": "y"}),
                ),
                (
                    "antigravity",
                    "replace_file_content",
                    json!({"TargetFile": "/srv/demo/a", "ReplacementContent": "y"}),
                ),
            ],
        ),
        ("write /srv/demo/a: y; delete /srv/demo/b", "apply_patch", {
            let patch = "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** Delete File: b\n*** End Patch";
            vec![
                ("codex", "apply_patch", json!({ "command": patch })),
                ("codex", "apply_patch", json!({ "input": patch })),
                ("codex", "apply_patch", json!(patch)),
                ("copilot", "apply_patch", json!({ "input": patch })),
                ("opencode", "apply_patch", json!({ "patchText": patch })),
                ("vscode", "apply_patch", json!({ "input": patch })),
                ("droid", "ApplyPatch", json!({ "input": patch })),
                ("cursor", "ApplyPatch", json!({ "patch": patch })),
                ("qwen", "apply_patch", json!({ "patch": patch })),
                ("cline", "apply_patch", json!({ "input": patch })),
            ]
        }),
        (
            "delete /srv/demo/a",
            "Delete",
            vec![
                ("cursor", "Delete", json!({"file_path": "a"})),
                ("cursor", "Delete", json!({"path": "/srv/demo/a"})),
            ],
        ),
        (
            "search key in /etc of *.pem",
            "Grep",
            vec![
                (
                    "claude-code",
                    "Grep",
                    json!({"pattern": "key", "path": "/etc", "glob": "*.pem"}),
                ),
                (
                    "gemini",
                    "grep_search",
                    json!({"pattern": "key", "dir_path": "/etc", "include_pattern": "*.pem"}),
                ),
                (
                    "qwen",
                    "grep_search",
                    json!({"pattern": "key", "path": "/etc", "glob": "*.pem"}),
                ),
                (
                    "opencode",
                    "grep",
                    json!({"pattern": "key", "path": "/etc", "include": "*.pem"}),
                ),
                (
                    "copilot",
                    "grep",
                    json!({"pattern": "key", "path": "/etc", "glob": "*.pem"}),
                ),
                (
                    "cline",
                    "search_files",
                    json!({"regex": "key", "path": "/etc", "file_pattern": "*.pem"}),
                ),
                (
                    "antigravity",
                    "grep_search",
                    json!({"Query": "key", "SearchPath": "/etc", "Includes": "*.pem"}),
                ),
            ],
        ),
        (
            "search *.pem in /etc of *.pem",
            "Glob",
            vec![
                ("claude-code", "Glob", json!({"pattern": "*.pem", "path": "/etc"})),
                ("gemini", "glob", json!({"pattern": "*.pem", "dir_path": "/etc"})),
                ("qwen", "glob", json!({"pattern": "*.pem", "path": "/etc"})),
                ("opencode", "glob", json!({"pattern": "*.pem", "path": "/etc"})),
                ("droid", "Glob", json!({"patterns": ["*.pem"], "folder": "/etc"})),
                (
                    "antigravity",
                    "find_by_name",
                    json!({"Pattern": "*.pem", "SearchDirectory": "/etc"}),
                ),
            ],
        ),
        (
            "fetch https://example.com/a",
            "WebFetch",
            vec![
                (
                    "claude-code",
                    "WebFetch",
                    json!({"url": "https://example.com/a", "prompt": "p"}),
                ),
                ("gemini", "web_fetch", json!({"prompt": "Read https://example.com/a."})),
                ("copilot", "web_fetch", json!({"url": "https://example.com/a"})),
                ("cursor", "WebFetch", json!({"url": "https://example.com/a"})),
                (
                    "qwen",
                    "web_fetch",
                    json!({"url": "https://example.com/a", "prompt": "p"}),
                ),
                ("opencode", "webfetch", json!({"url": "https://example.com/a"})),
                (
                    "vscode",
                    "fetch_webpage",
                    json!({"urls": ["https://example.com/a"], "query": "q"}),
                ),
                ("droid", "FetchUrl", json!({"url": "https://example.com/a"})),
                ("kiro", "web_fetch", json!({"url": "https://example.com/a"})),
                (
                    "antigravity",
                    "read_url_content",
                    json!({"Url": "https://example.com/a"}),
                ),
            ],
        ),
        (
            "call demo/say_it {\"text\":\"hey\"}",
            "mcp__demo__say_it",
            vec![
                ("claude-code", "mcp__demo__say_it", json!({"text": "hey"})),
                ("codex", "mcp__demo__say_it", json!({"text": "hey"})),
                ("gemini", "mcp_demo_say_it", json!({"text": "hey"})),
                ("copilot", "demo-say_it", json!({"text": "hey"})),
                ("copilot", "demo/say_it", json!({"text": "hey"})),
                ("qwen", "mcp__demo__say_it", json!({"text": "hey"})),
                ("opencode", "demo_say_it", json!({"text": "hey"})),
                ("vscode", "mcp_demo_say_it", json!({"text": "hey"})),
                ("droid", "mcp__demo__say_it", json!({"text": "hey"})),
                ("kiro", "@demo/say_it", json!({"text": "hey"})),
                ("goose", "demo__say_it", json!({"text": "hey"})),
                (
                    "windsurf",
                    "pre_mcp_tool_use",
                    json!({"mcp_server_name": "demo", "mcp_tool_name": "say_it", "mcp_tool_arguments": {"text": "hey"}}),
                ),
                (
                    "cline",
                    "use_mcp_tool",
                    json!({"server_name": "demo", "tool_name": "say_it", "arguments": "{\"text\":\"hey\"}"}),
                ),
            ],
        ),
        (
            "",
            "Agent",
            vec![
                ("claude-code", "Agent", json!({"prompt": "p", "description": "d"})),
                ("codex", "spawn_agent", json!({"message": "m"})),
                ("gemini", "invoke_agent", json!({"agent_name": "g", "prompt": "p"})),
                ("copilot", "task", json!({"prompt": "p"})),
                ("cursor", "Task", json!({"prompt": "p"})),
                ("qwen", "agent", json!({"prompt": "p"})),
                ("opencode", "task", json!({"prompt": "p"})),
                ("vscode", "runSubagent", json!({"prompt": "p"})),
                ("droid", "Task", json!({"prompt": "p"})),
                ("cline", "new_task", json!({"context": "c"})),
            ],
        ),
    ]
}

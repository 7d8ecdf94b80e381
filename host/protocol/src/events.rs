//! The one table of events: what each carries, what a handler may answer, and what an answer does.
//!
//! Code, documents and schemas take these facts from here. Source: the hooks of Claude Code 2.1.332, observed; where its
//! documentation differs, the program was followed. An event that is not in the table has the common rules.

use crate::output::Decision;

/// What a matcher of the event is tested against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matched {
    /// Nothing: a matcher on this event is ignored.
    Nothing,
    /// The tool's name, under its present name and its former ones.
    Tool,
    /// A field of the payload.
    Field(&'static str),
    /// The last part of a path in a field of the payload.
    BaseName(&'static str),
}

/// What exit code 2 and a top-level `decision: "block"` do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// What the event announces does not happen.
    Prevents,
    /// It has happened; the reason goes to the model beside the result.
    Feedback,
    /// The agent goes on working instead of stopping.
    KeepsWorking,
    /// Nothing, but the user sees the text of an exit 2.
    Notice,
    /// Nothing at all.
    Ignored,
}

/// What a failure of hookbox itself, or of a handler whose failure blocks, has to do on the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocking {
    /// Block: the event can be prevented.
    Prevents,
    /// Let the agent stop, and say so: a block would mean to go on working.
    KeepsWorking,
    /// Report it: a block does nothing.
    NoEffect,
}

/// What `continue: false` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The agent's turn ends, whatever else was answered.
    EndsTurn,
    Ignored,
}

/// What plain text on stdout is at exit 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainStdout {
    /// For the log alone.
    Log,
    /// Context for the model (on PreCompact: instructions for the summary).
    Context,
    /// The last line that is not empty is the path of the new worktree.
    Path,
}

/// The type of one field of `hookSpecificOutput`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    Bool,
    Object,
    TextList,
    List,
    Any,
    OneOf(&'static [&'static str]),
    /// `{behavior: "allow", updatedInput?, updatedPermissions?}` or `{behavior: "deny", message?, interrupt?}`.
    RequestDecision,
}

/// One field of `hookSpecificOutput`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: &'static str,
    pub kind: Kind,
}

/// Everything that hookbox knows of one event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventSpec {
    /// The event's name; empty for an event that is not in the table.
    pub name: &'static str,
    pub matched: Matched,
    /// The values that the matcher can meet, where they are a closed set; empty where they are open.
    pub values: &'static [&'static str],
    /// The fields of the payload besides the common ones; a trailing `?` marks an optional one.
    pub input: &'static [&'static str],
    /// The fields of `hookSpecificOutput`; none where the event has no such block.
    pub specific: Option<&'static [Field]>,
    /// The decisions that the event knows besides a block.
    pub decisions: &'static [Decision],
    pub block: Block,
    pub blocks: Blocking,
    pub stop: Stop,
    pub plain: PlainStdout,
    /// Whether a handler's `if` is looked at; on other events a handler with `if` never runs.
    pub takes_if: bool,
    /// Seconds that a `command` handler has where it sets no `timeout`.
    pub timeout: f64,
}

const fn field(name: &'static str, kind: Kind) -> Field {
    Field { name, kind }
}

const CONTEXT: Field = field("additionalContext", Kind::Text);
const REASON: Field = field("permissionDecisionReason", Kind::Text);
const WATCH: Field = field("watchPaths", Kind::TextList);
const FOUR: Field = field("permissionDecision", Kind::OneOf(&["allow", "deny", "ask", "defer"]));
const SUPPRESS_PROMPT: Field = field("suppressOriginalPrompt", Kind::Bool);
const TITLE: Field = field("sessionTitle", Kind::Text);
const ELICITED: &[Field] = &[
    field("action", Kind::OneOf(&["accept", "decline", "cancel"])),
    field("content", Kind::Object),
];
const CONTEXT_ONLY: Option<&[Field]> = Some(&[CONTEXT]);

/// The common rules, which an event that is not in the table has: every field is read, a block is a block.
const COMMON: EventSpec = EventSpec {
    name: "",
    matched: Matched::Nothing,
    values: &[],
    input: &[],
    specific: Some(&[FOUR, REASON, field("updatedInput", Kind::Object), CONTEXT]),
    decisions: &[Decision::Allow, Decision::Ask, Decision::Defer],
    // What an unknown event's block does is not known; a guard that fails there must not pass for one that agreed.
    block: Block::Prevents,
    blocks: Blocking::Prevents,
    stop: Stop::EndsTurn,
    plain: PlainStdout::Log,
    takes_if: false,
    timeout: 600.0,
};

/// An event about which a block, a decision and a stop do nothing: what most of the table starts from.
const OBSERVED: EventSpec = EventSpec {
    specific: None,
    decisions: &[],
    block: Block::Ignored,
    blocks: Blocking::NoEffect,
    stop: Stop::Ignored,
    ..COMMON
};

/// The events, in the order in which the agent lists them.
pub static EVENTS: [EventSpec; 34] = [
    EventSpec {
        name: "PreToolUse",
        matched: Matched::Tool,
        input: &["tool_name", "tool_input", "tool_use_id", "mcp_server?"],
        specific: Some(&[FOUR, REASON, field("updatedInput", Kind::Object), CONTEXT]),
        takes_if: true,
        ..COMMON
    },
    EventSpec {
        name: "PostToolUse",
        matched: Matched::Tool,
        input: &[
            "tool_name",
            "tool_input",
            "tool_response",
            "tool_use_id",
            "duration_ms?",
            "mcp_server?",
        ],
        specific: Some(&[
            CONTEXT,
            field("updatedToolOutput", Kind::Any),
            field("updatedMCPToolOutput", Kind::Any),
            field("classifierContext", Kind::Text),
        ]),
        block: Block::Feedback,
        stop: Stop::EndsTurn,
        takes_if: true,
        ..OBSERVED
    },
    EventSpec {
        name: "PostToolUseFailure",
        matched: Matched::Tool,
        input: &[
            "tool_name",
            "tool_input",
            "tool_use_id",
            "error",
            "is_interrupt?",
            "duration_ms?",
            "mcp_server?",
        ],
        specific: CONTEXT_ONLY,
        block: Block::Feedback,
        takes_if: true,
        ..OBSERVED
    },
    EventSpec {
        name: "PostToolBatch",
        input: &["tool_calls"],
        specific: CONTEXT_ONLY,
        block: Block::Prevents,
        blocks: Blocking::Prevents,
        stop: Stop::EndsTurn,
        ..OBSERVED
    },
    EventSpec {
        name: "PermissionDenied",
        matched: Matched::Tool,
        input: &["tool_name", "tool_input", "tool_use_id", "reason", "mcp_server?"],
        specific: Some(&[field("retry", Kind::Bool)]),
        takes_if: true,
        ..OBSERVED
    },
    EventSpec {
        name: "Notification",
        matched: Matched::Field("notification_type"),
        values: &[
            "permission_prompt",
            "idle_prompt",
            "auth_success",
            "elicitation_dialog",
            "elicitation_url_dialog",
            "elicitation_complete",
            "elicitation_response",
            "agent_needs_input",
            "agent_completed",
        ],
        input: &["message", "title?", "notification_type"],
        specific: CONTEXT_ONLY,
        ..OBSERVED
    },
    EventSpec {
        name: "UserPromptSubmit",
        input: &["prompt", "source?", "session_title?"],
        specific: Some(&[CONTEXT, TITLE, SUPPRESS_PROMPT]),
        block: Block::Prevents,
        blocks: Blocking::Prevents,
        stop: Stop::EndsTurn,
        plain: PlainStdout::Context,
        timeout: 30.0,
        ..OBSERVED
    },
    EventSpec {
        name: "UserPromptExpansion",
        matched: Matched::Field("command_name"),
        input: &[
            "expansion_type",
            "command_name",
            "command_args",
            "command_source?",
            "prompt",
        ],
        specific: Some(&[CONTEXT, SUPPRESS_PROMPT]),
        block: Block::Prevents,
        blocks: Blocking::Prevents,
        stop: Stop::EndsTurn,
        plain: PlainStdout::Context,
        ..OBSERVED
    },
    EventSpec {
        name: "SessionStart",
        matched: Matched::Field("source"),
        values: &["startup", "resume", "clear", "compact", "fork"],
        input: &[
            "source",
            "agent_type?",
            "model?",
            "session_title?",
            "seconds_since_last_response?",
            "context_tokens?",
            "prompt_cache_likely_expired?",
            "estimated_cache_write_usd?",
        ],
        specific: Some(&[
            CONTEXT,
            field("initialUserMessage", Kind::Text),
            TITLE,
            WATCH,
            field("reloadSkills", Kind::Bool),
        ]),
        block: Block::Notice,
        plain: PlainStdout::Context,
        ..OBSERVED
    },
    EventSpec {
        name: "Stop",
        input: &[
            "stop_hook_active",
            "last_assistant_message?",
            "background_tasks?",
            "session_crons?",
        ],
        specific: CONTEXT_ONLY,
        block: Block::KeepsWorking,
        blocks: Blocking::KeepsWorking,
        stop: Stop::EndsTurn,
        ..OBSERVED
    },
    EventSpec {
        name: "StopFailure",
        matched: Matched::Field("error"),
        values: &[
            "rate_limit",
            "overloaded",
            "authentication_failed",
            "oauth_org_not_allowed",
            "account_on_hold",
            "billing_error",
            "invalid_request",
            "model_not_found",
            "server_error",
            "max_output_tokens",
            "unknown",
        ],
        input: &["error", "error_details?", "last_assistant_message?"],
        ..OBSERVED
    },
    EventSpec {
        name: "SubagentStart",
        matched: Matched::Field("agent_type"),
        input: &["agent_id", "agent_type"],
        specific: CONTEXT_ONLY,
        block: Block::Notice,
        ..OBSERVED
    },
    EventSpec {
        name: "SubagentStop",
        matched: Matched::Field("agent_type"),
        input: &[
            "stop_hook_active",
            "agent_id",
            "agent_type",
            "agent_transcript_path",
            "last_assistant_message?",
            "background_tasks?",
            "session_crons?",
        ],
        specific: CONTEXT_ONLY,
        block: Block::KeepsWorking,
        blocks: Blocking::KeepsWorking,
        stop: Stop::EndsTurn,
        ..OBSERVED
    },
    EventSpec {
        name: "PreCompact",
        matched: Matched::Field("trigger"),
        values: &["manual", "auto"],
        input: &["trigger", "custom_instructions"],
        block: Block::Prevents,
        blocks: Blocking::Prevents,
        plain: PlainStdout::Context,
        ..OBSERVED
    },
    EventSpec {
        name: "PostCompact",
        matched: Matched::Field("trigger"),
        values: &["manual", "auto"],
        input: &["trigger", "compact_summary"],
        ..OBSERVED
    },
    EventSpec {
        name: "PreModelSwitch",
        matched: Matched::Field("to_model"),
        input: MODEL_SWITCH,
        specific: Some(&[
            field("permissionDecision", Kind::OneOf(&["allow", "deny", "ask"])),
            REASON,
        ]),
        decisions: &[Decision::Allow, Decision::Ask],
        block: Block::Prevents,
        blocks: Blocking::Prevents,
        timeout: 30.0,
        ..OBSERVED
    },
    EventSpec {
        name: "PostModelSwitch",
        matched: Matched::Field("to_model"),
        input: MODEL_SWITCH,
        specific: CONTEXT_ONLY,
        timeout: 30.0,
        ..OBSERVED
    },
    EventSpec {
        name: "SessionEnd",
        matched: Matched::Field("reason"),
        values: &["clear", "resume", "logout", "prompt_input_exit", "other"],
        input: &["reason"],
        timeout: 1.5,
        ..OBSERVED
    },
    EventSpec {
        name: "PermissionRequest",
        matched: Matched::Tool,
        input: &["tool_name", "tool_input", "permission_suggestions?", "mcp_server?"],
        specific: Some(&[field("decision", Kind::RequestDecision)]),
        decisions: &[Decision::Allow],
        // Exit 2 and a top-level block are not heard here, a failure that blocks is.
        block: Block::Ignored,
        blocks: Blocking::Prevents,
        takes_if: true,
        ..OBSERVED
    },
    EventSpec {
        name: "Setup",
        matched: Matched::Field("trigger"),
        values: &["init", "maintenance"],
        input: &["trigger"],
        specific: CONTEXT_ONLY,
        block: Block::Notice,
        ..OBSERVED
    },
    EventSpec {
        name: "TeammateIdle",
        input: &["teammate_name", "team_name"],
        block: Block::KeepsWorking,
        blocks: Blocking::KeepsWorking,
        stop: Stop::EndsTurn,
        ..OBSERVED
    },
    EventSpec {
        name: "TaskCreated",
        input: TASK,
        block: Block::Prevents,
        blocks: Blocking::Prevents,
        ..OBSERVED
    },
    EventSpec {
        name: "TaskCompleted",
        input: TASK,
        block: Block::KeepsWorking,
        blocks: Blocking::KeepsWorking,
        // Only where a teammate falls idle; the agent drops it elsewhere.
        stop: Stop::EndsTurn,
        ..OBSERVED
    },
    EventSpec {
        name: "Elicitation",
        matched: Matched::Field("mcp_server_name"),
        input: &[
            "mcp_server_name",
            "message",
            "mode?",
            "url?",
            "elicitation_id?",
            "requested_schema?",
        ],
        specific: Some(ELICITED),
        block: Block::Prevents,
        blocks: Blocking::Prevents,
        ..OBSERVED
    },
    EventSpec {
        name: "ElicitationResult",
        matched: Matched::Field("mcp_server_name"),
        input: &["mcp_server_name", "elicitation_id?", "mode?", "action", "content?"],
        specific: Some(ELICITED),
        block: Block::Prevents,
        blocks: Blocking::Prevents,
        ..OBSERVED
    },
    EventSpec {
        name: "ConfigChange",
        matched: Matched::Field("source"),
        values: &[
            "user_settings",
            "project_settings",
            "local_settings",
            "policy_settings",
            "skills",
        ],
        input: &["source", "file_path?"],
        block: Block::Prevents,
        blocks: Blocking::Prevents,
        ..OBSERVED
    },
    EventSpec {
        name: "InstructionsLoaded",
        matched: Matched::Field("load_reason"),
        values: &[
            "session_start",
            "nested_traversal",
            "path_glob_match",
            "include",
            "compact",
        ],
        input: &[
            "file_path",
            "memory_type",
            "load_reason",
            "globs?",
            "trigger_file_path?",
            "parent_file_path?",
        ],
        ..OBSERVED
    },
    EventSpec {
        name: "WorktreeCreate",
        input: &["name"],
        specific: Some(&[field("worktreePath", Kind::Text)]),
        block: Block::Prevents,
        blocks: Blocking::Prevents,
        plain: PlainStdout::Path,
        ..OBSERVED
    },
    EventSpec {
        name: "WorktreeRemove",
        input: &["worktree_path"],
        ..OBSERVED
    },
    EventSpec {
        name: "CwdChanged",
        input: &["old_cwd", "new_cwd"],
        specific: Some(&[WATCH]),
        block: Block::Notice,
        ..OBSERVED
    },
    EventSpec {
        name: "FileChanged",
        matched: Matched::BaseName("file_path"),
        input: &["file_path", "event"],
        specific: Some(&[WATCH]),
        block: Block::Notice,
        ..OBSERVED
    },
    EventSpec {
        name: "DirectoryAdded",
        matched: Matched::Field("source"),
        values: &["slash_command", "register_repo_root"],
        input: &["directory", "source"],
        ..OBSERVED
    },
    EventSpec {
        name: "MessageDisplay",
        input: &["turn_id", "message_id", "index", "final", "delta"],
        specific: Some(&[field("displayContent", Kind::Text)]),
        timeout: 10.0,
        ..OBSERVED
    },
    EventSpec {
        name: "PreSkillShellCommand",
        matched: Matched::Tool,
        input: &[
            "tool_name",
            "tool_input",
            "tool_use_id",
            "command_name",
            "command_source?",
            "invoked_by",
        ],
        specific: Some(&[FOUR, REASON, field("updatedInput", Kind::Any)]),
        decisions: &[Decision::Allow],
        block: Block::Prevents,
        blocks: Blocking::Prevents,
        stop: Stop::EndsTurn,
        takes_if: true,
        ..OBSERVED
    },
];

const MODEL_SWITCH: &[&str] = &[
    "from_model",
    "to_model",
    "requested_model",
    "source",
    "context_tokens",
    "prompt_cache_warm",
    "cache_ttl",
    "estimated_cache_write_usd",
    "pricing",
];
const TASK: &[&str] = &[
    "task_id",
    "task_subject",
    "task_description?",
    "teammate_name?",
    "team_name?",
];

/// The rules of an event; those of every unknown name are the common ones.
#[must_use]
pub fn spec(name: &str) -> EventSpec {
    EVENTS
        .iter()
        .find(|event| event.name == name)
        .copied()
        .unwrap_or(COMMON)
}

impl EventSpec {
    /// Whether the event is in the table.
    #[must_use]
    pub fn known(&self) -> bool {
        !self.name.is_empty()
    }

    /// Whether the event's own answer can be this decision. A block always counts as understood.
    #[must_use]
    pub fn takes(&self, decision: Decision) -> bool {
        decision == Decision::Deny || self.decisions.contains(&decision)
    }

    /// Whether a block of a failed handler does anything here.
    #[must_use]
    pub fn failure_blocks(&self) -> bool {
        self.blocks == Blocking::Prevents || self.block == Block::Feedback
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_is_listed_once() {
        let mut names: Vec<_> = EVENTS.iter().map(|event| event.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 34);
    }

    #[test]
    fn twenty_three_events_have_a_block_of_their_own() {
        assert_eq!(EVENTS.iter().filter(|event| event.specific.is_some()).count(), 23);
    }

    #[test]
    fn an_event_of_a_newer_agent_has_the_common_rules() {
        let unknown = spec("PreTeleport");
        assert!(!unknown.known());
        assert_eq!(unknown.blocks, Blocking::Prevents);
        assert!(unknown.takes(Decision::Ask));
    }

    #[test]
    fn a_failure_never_makes_an_agent_go_on_working() {
        for event in &EVENTS {
            assert_eq!(
                event.block == Block::KeepsWorking,
                event.blocks == Blocking::KeepsWorking,
                "{}",
                event.name
            );
        }
    }

    #[test]
    fn what_can_be_prevented_is_prevented_when_the_host_fails() {
        for event in &EVENTS {
            if event.block == Block::Prevents {
                assert_eq!(event.blocks, Blocking::Prevents, "{}", event.name);
            }
        }
    }
}

"""What is tried with every client, and what each must show. Standard library only.

A scenario is a configuration of hookbox, the commands that the model asks for, and what is then looked at. `expect` says what must be seen; what a
client cannot do stands in LIMITS, so that a new version that can shows up as a difference. No cell may be a silent yes.
"""
import json

PUSH = "touch ran; git push --force origin main"


def says(specific, **top):
    """A command handler that prints this answer."""
    return "printf %s " + quoted(json.dumps({"hookSpecificOutput": specific, **top}))


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def handlers(event, command, **more):
    return {"hooks": {event: [{"hooks": [{"type": "command", "command": command, "onFailure": "block", **more}]}]}}


class Scenario:
    """`config`: hookbox's hooks.json (none: what runs without one). `program`: what stands in the place of hookbox, after `init`.
    `says`: what has to reach the model; alternatives are separated by `|`."""

    def __init__(self, name, commands, expect, config=None, program=None, says=""):
        self.name, self.commands, self.expect, self.config, self.program, self.says = name, commands, expect, config, program, says


BLOCKED = "blocked, reason heard"
SILENT = "blocked, no reason"
RAN = "ran"

# What an agent would be told that went on because of it.
GONE = "no answer (exit code|bin/hookbox: not found|bin/hookbox: No such file"
# It stops itself, and again when somebody wakes it.
HANGS = "#!/bin/sh\nwhile :; do kill -STOP $$; done\n"

SCENARIOS = [
    Scenario("pack denies", [PUSH], BLOCKED, says="guard-"),
    Scenario("pack allows", ["touch ran"], RAN),
    Scenario(
        "rewrite",
        ["touch ran"],
        "rewritten",
        handlers("PreToolUse", says({"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"command": "touch rewritten"}})),
        says="touch rewritten",
    ),
    Scenario(
        "context before",
        ["touch ran"],
        "ran, context heard",
        handlers("PreToolUse", says({"hookEventName": "PreToolUse", "additionalContext": "the tide is high"})),
        says="the tide is high",
    ),
    Scenario(
        "context after",
        ["touch ran"],
        "ran, context heard",
        handlers("PostToolUse", says({"hookEventName": "PostToolUse", "additionalContext": "the tide is low"})),
        says="the tide is low",
    ),
    Scenario("prompt stopped", ["touch ran"], "stopped", handlers("UserPromptSubmit", "echo not today >&2; exit 2"), says="not today"),
    Scenario(
        "stop goes on once",
        [],
        "went on once",
        # The event says whether the agent goes on already because of a hook.
        handlers("Stop", "grep -q '\"stop_hook_active\": *true' && exit 0; echo water the plants first >&2; exit 2"),
        says="water the plants first",
    ),
    Scenario("ask", ["touch ran"], BLOCKED, handlers("PreToolUse", says({"hookEventName": "PreToolUse", "permissionDecision": "ask", "permissionDecisionReason": "is that wise"})), says="is that wise"),
    Scenario("handler hangs", ["touch ran"], BLOCKED, handlers("PreToolUse", "sleep 600", timeout=1), says="timed out"),
    Scenario("handler crashes", ["touch ran"], BLOCKED, handlers("PreToolUse", "kill -9 $$"), says="onFailure|signal|killed"),
    Scenario("handler missing", ["touch ran"], BLOCKED, handlers("PreToolUse", "/no/such/guard"), says="not found|No such file|127"),
    Scenario("hookbox missing", ["touch ran"], BLOCKED, handlers("PreToolUse", "true"), program="missing", says="not found|No such file"),
    Scenario("hookbox killed", ["touch ran"], BLOCKED, handlers("PreToolUse", "true"), program="#!/bin/sh\nkill -9 $$\n", says="Killed|no answer"),
    Scenario("hookbox hangs", ["touch ran"], BLOCKED, handlers("PreToolUse", "true"), program=HANGS, says="no answer|did not answer|timed out"),
    Scenario("stop, hookbox missing", [], "stopped", handlers("Stop", "true"), program="missing", says=GONE),
    Scenario("stop, hookbox hangs", [], "stopped", handlers("Stop", "true"), program=HANGS, says=GONE),
]

# What a client does instead, in its version of clients.py.
LIMITS = {
    # It has no rewrite; the deny says which input would be allowed.
    ("rewrite", "qwen"): BLOCKED,
    # It takes no context before a call; that is recorded in the audit.
    ("context before", "gemini"): RAN,
    ("context before", "qwen"): RAN,
    ("context before", "opencode"): RAN,
    # Its plugins cannot keep it going.
    ("stop goes on once", "opencode"): "1 turns",
    # Nobody is there to answer: the run ends, and the model is not told.
    ("ask", "gemini"): SILENT,
    # Only JSON is heard, and who is missing prints none.
    ("hookbox missing", "copilot"): SILENT,
    ("hookbox killed", "copilot"): SILENT,
    ("hookbox hangs", "copilot"): SILENT,
}


def wanted(scenario, client):
    return LIMITS.get((scenario.name, client), scenario.expect)

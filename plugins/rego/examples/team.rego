# METADATA
# scope: package
# title: A team's guard rails
# custom:
#   routing:
#     required_events: ["PreToolUse", "PostToolUse", "UserPromptSubmit"]
#     required_tools: ["Bash", "Write", "Edit", "Read"]
package cupcake.policies.team

import data.cupcake.helpers.shell
import rego.v1

# Ends the session: whoever gets here has to talk to somebody.
halt contains decision if {
	input.hook_event_name == "PreToolUse"
	input.tool_name in {"Write", "Edit", "MultiEdit"}
	endswith(input.resolved_file_path, "/.ssh/authorized_keys")
	decision := {
		"rule_id": "TEAM-KEYS",
		"reason": "Keys of this machine are not the agent's business",
		"severity": "CRITICAL",
	}
}

deny contains decision if {
	input.hook_event_name == "PreToolUse"
	input.tool_name == "Bash"
	command := lower(input.tool_input.command)
	some verb in {"shutdown", "reboot", "halt"}
	shell.has_verb(command, verb)
	decision := {
		"rule_id": "TEAM-POWER",
		"reason": concat(" ", ["The machine stays on:", verb]),
		"severity": "HIGH",
	}
}

deny contains decision if {
	input.hook_event_name == "PreToolUse"
	input.tool_name == "Bash"
	regex.match(`(^|\s)npm\s+publish(\s|$)`, input.tool_input.command)
	decision := {
		"rule_id": "TEAM-PUBLISH",
		"reason": "Releases are published by CI: open a pull request",
		"severity": "HIGH",
	}
}

block contains decision if {
	input.hook_event_name == "PostToolUse"
	input.tool_name in {"Write", "Edit"}
	endswith(input.tool_input.file_path, ".go")
	not contains(input.tool_input.content, "package ")
	decision := {
		"rule_id": "TEAM-GO",
		"reason": sprintf("%s has no package clause", [input.tool_input.file_path]),
		"severity": "LOW",
	}
}

ask contains decision if {
	input.hook_event_name == "PreToolUse"
	input.tool_name == "Bash"
	contains(input.tool_input.command, "git push")
	decision := {
		"rule_id": "TEAM-PUSH",
		"reason": "This leaves the machine",
		"question": "Push now?",
		"severity": "MEDIUM",
	}
}

modify contains change if {
	input.hook_event_name == "PreToolUse"
	input.tool_name == "Bash"
	input.tool_input.command == "npm install"
	change := {
		"rule_id": "TEAM-CI",
		"reason": "Install what the lock file says",
		"priority": 50,
		"updated_input": {"command": "npm ci"},
	}
}

allow_override contains decision if {
	input.hook_event_name == "PreToolUse"
	input.tool_input.command == "make test"
	decision := {"rule_id": "TEAM-TEST", "reason": "Tests are always fine"}
}

add_context contains "Answer in English; tickets are called TEAM-number." if {
	input.hook_event_name == "UserPromptSubmit"
}

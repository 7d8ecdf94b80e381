# What hookbox understands of an event: `commands` are the programs that would run, `actions` what the call does.
package guard

import rego.v1

deny contains {"rule": "no-apply", "reason": "apply runs in CI: open a pull request"} if {
	some command in input.commands
	command.program == "terraform"
	"apply" in command.args
}

deny contains {"rule": "secrets", "reason": sprintf("%s holds secrets: ask the user for the value", [action.path])} if {
	some action in input.actions
	action.action in {"read", "write", "delete"}
	some folder in data.secret_folders
	startswith(action.path, sprintf("%s/%s/", [input.project, folder]))
}

ask contains {"rule": "unknown", "reason": "what this runs cannot be told before"} if {
	some command in input.commands
	not command.known
	command.program in {"rm", "mv"}
}

allow contains {"rule": "look", "reason": "looks only"} if {
	input.complete
	count(input.commands) > 0
	every command in input.commands {
		command.program in {"ls", "pwd", "true"}
		command.known
		count(command.redirects) == 0
	}
}

context contains "Tests: make test" if {
	input.hook_event_name == "SessionStart"
}

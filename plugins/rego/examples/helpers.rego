package cupcake.helpers.shell

import rego.v1

# Whether a word of the command is the verb.
has_verb(command, verb) if {
	regex.match(concat("", [`(^|[\s;&|(])`, verb, `($|[\s;&|)])`]), command)
}

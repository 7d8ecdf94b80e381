//! The functions that policies can call, and those of OPA that they cannot.

/// What this build of the engine has.
pub(crate) const KNOWN: [&str; 94] = [
    "abs",
    "array.concat",
    "array.reverse",
    "array.slice",
    "base64.decode",
    "base64.encode",
    "base64.is_valid",
    "base64url.decode",
    "base64url.encode",
    "base64url.encode_no_pad",
    "bits.and",
    "bits.lsh",
    "bits.negate",
    "bits.or",
    "bits.rsh",
    "bits.xor",
    "ceil",
    "concat",
    "contains",
    "count",
    "endswith",
    "floor",
    "format_int",
    "glob.match",
    "glob.quote_meta",
    "graph.reachable",
    "graph.reachable_paths",
    "hex.decode",
    "hex.encode",
    "indexof",
    "indexof_n",
    "intersection",
    "is_array",
    "is_boolean",
    "is_null",
    "is_number",
    "is_object",
    "is_set",
    "is_string",
    "json.filter",
    "json.is_valid",
    "json.marshal",
    "json.marshal_with_options",
    "json.remove",
    "json.unmarshal",
    "lower",
    "max",
    "min",
    "numbers.range",
    "numbers.range_step",
    "object.filter",
    "object.get",
    "object.keys",
    "object.remove",
    "object.subset",
    "object.union",
    "object.union_n",
    "print",
    "product",
    "regex.find_n",
    "regex.is_valid",
    "regex.match",
    "regex.replace",
    "regex.split",
    "regex.template_match",
    "replace",
    "round",
    "semver.compare",
    "semver.is_valid",
    "sort",
    "split",
    "sprintf",
    "startswith",
    "strings.any_prefix_match",
    "strings.any_suffix_match",
    "strings.count",
    "strings.replace_n",
    "strings.reverse",
    "substring",
    "sum",
    "to_number",
    "trace",
    "trim",
    "trim_left",
    "trim_prefix",
    "trim_right",
    "trim_space",
    "trim_suffix",
    "type_name",
    "union",
    "units.parse",
    "units.parse_bytes",
    "upper",
    "walk",
];

/// Names and beginnings of OPA's functions that need what a sandboxed policy has not: network, clock, chance, secrets;
/// or that this build leaves out.
pub(crate) const ABSENT: [&str; 15] = [
    "crypto.",
    "graphql.",
    "http.send",
    "io.jwt.",
    "json.match_schema",
    "json.patch",
    "json.verify_schema",
    "net.",
    "opa.runtime",
    "providers.",
    "rand.",
    "rego.",
    "time.",
    "urlquery.",
    "uuid.",
];

#[cfg(test)]
mod tests {
    use super::KNOWN;
    use regorus::Engine;

    #[test]
    fn the_engine_has_every_known_function() {
        for name in KNOWN.iter().filter(|name| **name != "print") {
            let mut engine = Engine::new();
            // Without an argument: a function that exists says how many it takes, one that does not is not found.
            engine
                .add_policy("t.rego".into(), format!("package t\nx := {name}()"))
                .unwrap();
            let error = engine.eval_rule("data.t.x".into()).unwrap_err().to_string();
            assert!(!error.contains("could not find function"), "{name}: {error}");
        }
    }
}

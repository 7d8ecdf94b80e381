//! Layers and trust: what may run, how strictly, and what a lower or untrusted file cannot take away.

use hookbox_protocol::config::{Entry, HandlerKind, Layer, LayerFile, Layers, parse, select, tighten};
use hookbox_protocol::{Decision, Dialect, Event, OnFailure, Output, ToolCall};
use serde_json::json;

/// Files of layers, put together.
#[derive(Default)]
struct Given {
    files: Vec<LayerFile>,
}

impl Given {
    #[must_use]
    fn file(mut self, layer: Layer, trusted: bool, text: &str) -> Self {
        let file = format!("{layer}.json");
        let parsed = parse(text, &file);
        self.files.push(LayerFile {
            layer,
            trusted,
            file,
            parsed,
        });
        self
    }

    #[must_use]
    fn managed(self, text: &str) -> Self {
        self.file(Layer::Managed, true, text)
    }

    #[must_use]
    fn user(self, text: &str) -> Self {
        self.file(Layer::User, true, text)
    }

    #[must_use]
    fn project(self, text: &str) -> Self {
        self.file(Layer::Project, true, text)
    }

    #[must_use]
    fn stranger(self, text: &str) -> Self {
        self.file(Layer::Project, false, text)
    }

    fn layers(self) -> Layers {
        Layers::new(self.files)
    }

    fn entries(self) -> Vec<Entry> {
        self.layers().entries("PreToolUse")
    }

    /// What runs, as its command, plugin or `broken`, with what its failure means.
    fn runs(self) -> Vec<(String, OnFailure)> {
        self.entries()
            .iter()
            .map(|entry| (name(entry), entry.on_failure))
            .collect()
    }
}

fn name(entry: &Entry) -> String {
    match &entry.handler.kind {
        HandlerKind::Command(command) => command.command.clone(),
        HandlerKind::Wasm(wasm) => wasm.plugin.clone(),
        HandlerKind::Other { type_name } => type_name.clone(),
        HandlerKind::Broken { error } => format!("broken: {error}"),
    }
}

fn command(name: &str) -> String {
    with(&format!(r#"{{"type": "command", "command": "{name}"}}"#), "")
}

fn wasm(name: &str) -> String {
    with(&format!(r#"{{"type": "wasm", "plugin": "{name}"}}"#), "")
}

/// A file with these handlers on PreToolUse and these further keys.
fn with(handlers: &str, keys: &str) -> String {
    format!(r#"{{{keys} "hooks": {{"PreToolUse": [{{"hooks": [{handlers}]}}]}}}}"#)
}

fn bash() -> Event {
    Event {
        agent: "claude-code".to_owned(),
        name: "PreToolUse".to_owned(),
        session: String::new(),
        cwd: "/srv/demo".to_owned(),
        project: "/srv/demo".to_owned(),
        tool: Some(ToolCall {
            name: "Bash".to_owned(),
            ..ToolCall::default()
        }),
        prompt: None,
        payload: json!({ "tool_name": "Bash", "tool_input": { "command": "git push" } }),
    }
}

const CONTINUE: OnFailure = OnFailure::Continue;
const BLOCK: OnFailure = OnFailure::Block;

fn pairs(expected: &[(&str, OnFailure)]) -> Vec<(String, OnFailure)> {
    expected
        .iter()
        .map(|(name, on_failure)| ((*name).to_owned(), *on_failure))
        .collect()
}

#[test]
fn all_layers_run_in_order_of_authority() {
    let runs = Given::default()
        .project(&command("p"))
        .managed(&command("m"))
        .user(&wasm("u"))
        .runs();
    assert_eq!(runs, pairs(&[("m", CONTINUE), ("u", BLOCK), ("p", CONTINUE)]));
}

#[test]
fn a_default_of_a_layer_binds_it_and_cannot_be_relaxed_below() {
    let relaxed = r#"{"type": "command", "command": "own", "onFailure": "continue"}"#;
    let runs = Given::default()
        .user(&with(relaxed, r#""onFailure": "block","#))
        .project(&with(
            relaxed.replace("own", "below").as_str(),
            r#""onFailure": "continue","#,
        ))
        .runs();
    assert_eq!(runs, pairs(&[("own", CONTINUE), ("below", BLOCK)]));
}

#[test]
fn a_layer_does_not_bind_the_one_above() {
    let runs = Given::default()
        .user(&command("u"))
        .project(&with("", r#""onFailure": "block","#))
        .runs();
    assert_eq!(runs, pairs(&[("u", CONTINUE)]));
}

#[test]
fn an_untrusted_file_runs_no_commands_and_its_plugins_only_tighten() {
    let text = with(
        r#"{"type": "command", "command": "/evil"}, {"type": "wasm", "plugin": "p"}"#,
        r#""plugins": {"p": {"source": "./p.wasm", "grants": {"read": ["/"], "http": ["evil.example"]}}},"#,
    );
    let entries = Given::default().stranger(&text).entries();
    assert_eq!(entries.iter().map(name).collect::<Vec<_>>(), ["p"]);
    assert!(entries.iter().all(|entry| entry.tighten_only));
    assert!(
        entries
            .iter()
            .all(|entry| entry.plugin.as_ref().is_some_and(|p| p.entry.grants.is_empty()))
    );
    let said: Vec<String> = Given::default()
        .stranger(&text)
        .layers()
        .diagnostics()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(
        said.iter().any(|d| d.contains("grants of \"p\" are dropped")),
        "{said:#?}"
    );
    assert!(
        said.iter().any(|d| d.contains("command handler of an untrusted file")),
        "{said:#?}"
    );
}

#[test]
fn an_untrusted_file_cannot_lend_itself_a_trusted_plugins_grants() {
    let user = r#"{"plugins": {"p": {"source": "./p.wasm", "grants": {"http": ["a.example"]}}}, "hooks": {}}"#;
    let entries = Given::default().user(user).stranger(&wasm("p")).entries();
    let plugin = entries[0].plugin.as_ref().expect("a plugin");
    assert_eq!(
        (plugin.file.as_deref(), plugin.entry.grants.is_empty()),
        (Some("user.json"), true)
    );
}

#[test]
fn a_lower_layer_cannot_redefine_what_a_name_means_above() {
    let evil = r#"{"plugins": {"guard-commands": {"source": "./evil.wasm"}}, "hooks": {}}"#;
    let entries = Given::default().user(&wasm("guard-commands")).project(evil).entries();
    let plugin = entries[0].plugin.as_ref().expect("a plugin");
    assert_eq!(plugin.file, None, "still the one of the pack");
}

#[test]
fn an_untrusted_file_cannot_turn_hooks_off_and_an_empty_one_is_no_configuration() {
    let off = r#"{"disableAllHooks": true}"#;
    assert_eq!(Given::default().user(&command("u")).stranger(off).runs().len(), 1);
    let given = Given::default().stranger("{}");
    let default = || LayerFile {
        layer: Layer::User,
        trusted: true,
        file: "default".to_owned(),
        parsed: parse(&wasm("guard"), "default"),
    };
    let entries = Layers::with_default(given.files, default).entries("PreToolUse");
    assert_eq!(entries.iter().map(name).collect::<Vec<_>>(), ["guard"]);
}

#[test]
fn turning_hooks_off_follows_the_agents_precedence_and_spares_the_managed() {
    let off = r#"{"disableAllHooks": true}"#;
    let on = |name: &str| {
        with(
            &format!(r#"{{"type": "command", "command": "{name}"}}"#),
            r#""disableAllHooks": false,"#,
        )
    };
    let given = || Given::default().managed(&command("m")).user(&command("u"));
    assert_eq!(
        given().project(off).runs(),
        pairs(&[("m", CONTINUE)]),
        "the user's, not the managed"
    );
    assert_eq!(given().file(Layer::Local, true, off).runs(), pairs(&[("m", CONTINUE)]));
    let runs = Given::default().user(off).project(&on("p")).runs();
    assert_eq!(runs, pairs(&[("p", CONTINUE)]), "the lower layer decides");
    assert_eq!(
        Given::default().managed(off).user(&on("u")).runs(),
        [],
        "but not over the managed"
    );
}

#[test]
fn managed_hooks_only_means_what_it_says_and_only_when_managed_says_it() {
    let only = with(
        r#"{"type": "command", "command": "m"}"#,
        r#""allowManagedHooksOnly": true,"#,
    );
    assert_eq!(
        Given::default().managed(&only).user(&command("u")).runs(),
        pairs(&[("m", CONTINUE)])
    );
    assert_eq!(Given::default().user(&only).project(&command("p")).runs().len(), 2);
}

#[test]
fn the_managed_layer_can_forbid_commands_below_it() {
    let forbid = with(
        r#"{"type": "command", "command": "m"}"#,
        r#""forbidCommandHandlers": true,"#,
    );
    let runs = Given::default()
        .managed(&forbid)
        .user(&command("u"))
        .project(&wasm("w"))
        .runs();
    assert_eq!(runs, pairs(&[("m", CONTINUE), ("w", BLOCK)]));
}

#[test]
fn a_plugin_without_the_signer_that_is_demanded_blocks() {
    let demand = r#"{"requireSigners": true, "signers": {"acme": {"minisign": "RWQx"}}, "hooks": {}}"#;
    let plugin = |signer: &str, keys: &str| {
        with(
            r#"{"type": "wasm", "plugin": "p"}"#,
            &format!(r#""plugins": {{"p": {{"source": "./p.wasm" {signer}}}}}, {keys}"#),
        )
    };
    for (text, right) in [
        (plugin("", ""), false),
        (plugin(r#", "signer": "acme""#, ""), true),
        (
            plugin(r#", "signer": "mine""#, r#""signers": {"mine": {"minisign": "RWQy"}},"#),
            false,
        ),
        (wasm("guard-commands"), true),
    ] {
        let runs = Given::default().managed(demand).user(&text).runs();
        assert_eq!(!runs[0].0.starts_with("broken"), right, "{text}: {runs:?}");
        assert_eq!(runs[0].1, BLOCK, "{text}");
    }
}

#[test]
fn a_signers_name_means_the_key_of_the_highest_layer() {
    let key = |key: &str| format!(r#"{{"signers": {{"acme": {{"minisign": "{key}"}}}}, "hooks": {{}}}}"#);
    let user = with(
        r#"{"type": "wasm", "plugin": "p"}"#,
        r#""signers": {"acme": {"minisign": "mine"}}, "plugins": {"p": {"source": "./p.wasm", "signer": "acme"}},"#,
    );
    let entries = Given::default().managed(&key("theirs")).user(&user).entries();
    let signer = entries[0].plugin.as_ref().and_then(|plugin| plugin.signer.clone());
    assert_eq!(
        signer,
        Some(hookbox_protocol::config::Signer::Minisign("theirs".to_owned()))
    );
}

#[test]
fn a_plugin_whose_entry_is_wrong_blocks_instead_of_vanishing() {
    let text = with(
        r#"{"type": "wasm", "plugin": "p"}"#,
        r#""plugins": {"p": {"source": "ftp://x"}},"#,
    );
    let runs = Given::default().user(&text).runs();
    assert!(runs[0].0.starts_with("broken"), "{runs:?}");
    assert_eq!(runs[0].1, BLOCK);
}

#[test]
fn a_file_that_cannot_be_read_is_an_error_of_the_whole_unless_it_has_no_say() {
    let broken = || Given::default().project("{");
    assert_eq!(broken().layers().errors().count(), 1);
    assert_eq!(
        broken()
            .managed(r#"{"allowManagedHooksOnly": true}"#)
            .layers()
            .errors()
            .count(),
        0
    );
}

#[test]
fn of_identical_handlers_one_runs_and_the_strictest_stays() {
    let copy = |keys: &str| format!(r#"{{"type": "command", "command": "g" {keys}}}"#);
    for (first, second, on_failure, waited_for, clashes) in [
        (r#", "onFailure": "block""#, "", BLOCK, true, 1),
        ("", r#", "onFailure": "block""#, BLOCK, true, 1),
        ("", r#", "timeout": 3"#, CONTINUE, true, 0),
        ("", r#", "async": true"#, CONTINUE, true, 1),
        (r#", "async": true"#, r#", "async": true"#, CONTINUE, false, 0),
    ] {
        let text = with(&format!("{}, {}", copy(first), copy(second)), "");
        let selection = select(&Given::default().user(&text).layers(), Dialect::ClaudeCode, &bash());
        assert_eq!(selection.entries.len(), 1, "{text}");
        let entry = &selection.entries[0];
        assert_eq!(entry.on_failure, on_failure, "{text}");
        let HandlerKind::Command(command) = &entry.handler.kind else {
            unreachable!()
        };
        assert_eq!(!command.run_async, waited_for, "{text}");
        assert_eq!(
            selection.diagnostics.len(),
            clashes,
            "{text}: {:?}",
            selection.diagnostics
        );
    }
}

#[test]
fn handlers_that_differ_in_what_they_run_or_when_run_each() {
    let handlers = [
        r#"{"type": "command", "command": "g"}"#,
        r#"{"type": "command", "command": "g", "args": []}"#,
        r#"{"type": "command", "command": "g", "shell": "powershell"}"#,
        r#"{"type": "command", "command": "g", "if": "Bash(git *)"}"#,
        r#"{"type": "wasm", "plugin": "g"}"#,
        r#"{"type": "wasm", "plugin": "g", "settings": {"a": 1}}"#,
    ];
    let text = with(&handlers.join(", "), "");
    let selection = select(&Given::default().user(&text).layers(), Dialect::ClaudeCode, &bash());
    assert_eq!(selection.entries.len(), handlers.len());
}

#[test]
fn a_copy_in_a_lower_layer_cannot_change_the_higher_one() {
    let copy = |timeout: f64| {
        with(
            &format!(r#"{{"type": "command", "command": "g", "timeout": {timeout}}}"#),
            "",
        )
    };
    let layers = Given::default().user(&copy(30.0)).project(&copy(0.001)).layers();
    let selection = select(&layers, Dialect::ClaudeCode, &bash());
    assert_eq!(selection.entries.len(), 1);
    assert_eq!(
        (selection.entries[0].layer, selection.entries[0].handler.timeout),
        (Layer::User, Some(30.0))
    );
}

#[test]
fn an_untrusted_copy_neither_gains_nor_takes_power() {
    let layers = Given::default().user(&wasm("g")).stranger(&wasm("g")).layers();
    let selection = select(&layers, Dialect::ClaudeCode, &bash());
    assert_eq!(selection.entries.len(), 1);
    assert!(!selection.entries[0].tighten_only, "the user's copy keeps its say");
}

#[test]
fn what_may_only_tighten_keeps_its_restrictions_and_nothing_else() {
    let extra = |key: &str, value| serde_json::Map::from_iter([(key.to_owned(), value)]);
    let output = |decision, extra| Output {
        decision,
        reason: Some("r".to_owned()),
        updated_input: Some(json!({})),
        updated_output: Some(json!("x")),
        additional_context: Some("c".to_owned()),
        stop: Some(None),
        extra,
        ..Output::default()
    };
    for (decision, left) in [
        (Some(Decision::Allow), None),
        (Some(Decision::Ask), Some(Decision::Ask)),
        (Some(Decision::Defer), Some(Decision::Defer)),
        (Some(Decision::Deny), Some(Decision::Deny)),
        (None, None),
    ] {
        let tight = tighten(output(decision, extra("updatedPermissions", json!([]))));
        assert_eq!(tight.decision, left);
        assert_eq!(
            (&tight.updated_input, &tight.updated_output, tight.extra.len()),
            (&None, &None, 0)
        );
        assert_eq!(
            (tight.additional_context.as_deref(), &tight.stop),
            (Some("c"), &Some(None))
        );
        assert_eq!(tight.diagnostics.len(), 1, "what was dropped is recorded");
    }
    for (key, value, kept) in [
        ("action", json!("accept"), false),
        ("action", json!("decline"), true),
        ("content", json!({}), false),
        ("interrupt", json!(true), true),
        ("retry", json!(true), false),
    ] {
        assert_eq!(
            tighten(output(None, extra(key, value))).extra.len(),
            usize::from(kept),
            "{key}"
        );
    }
}

#[test]
fn only_the_user_or_the_managed_layer_lets_an_ask_pass_where_nobody_can_be_asked() {
    const PASS: &str = r#"{"askFallback": "none"}"#;
    const DENY: &str = r#"{"askFallback": "deny"}"#;
    for (given, passes) in [
        (Given::default(), false),
        (Given::default().user("{}"), false),
        (Given::default().user(PASS), true),
        (Given::default().managed(PASS), true),
        (Given::default().managed(DENY).user(PASS), false),
        (Given::default().project(PASS), false),
        (Given::default().stranger(PASS), false),
        (Given::default().user(PASS).stranger(DENY), false),
        (Given::default().user(r#"{"askFallback": "allow"}"#), false),
    ] {
        let layers = given.layers();
        let files: Vec<_> = layers.files().iter().map(|file| &file.file).collect();
        assert_eq!(layers.ask_passes(), passes, "{files:?}");
    }
    let found = Given::default().project(PASS).layers().diagnostics();
    assert!(found.iter().any(|found| found.path == "askFallback"), "{found:?}");
}

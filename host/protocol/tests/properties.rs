//! What must hold of the codec and the merge on any input at all.

use hookbox_protocol::codec::{self, Exit, Run};
use hookbox_protocol::events::{self, Block, EVENTS};
use hookbox_protocol::merge::merge;
use hookbox_protocol::{Decision, Dialect, DshMode, OnFailure, Outcome, Output};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn decision() -> impl Strategy<Value = Option<Decision>> {
    prop::sample::select(vec![
        None,
        Some(Decision::Allow),
        Some(Decision::Ask),
        Some(Decision::Defer),
        Some(Decision::Deny),
    ])
}

fn text() -> impl Strategy<Value = Option<String>> {
    prop::option::of("[abc \n]{0,6}")
}

fn extra() -> impl Strategy<Value = Map<String, Value>> {
    let field = prop::sample::select(vec![
        ("action", json!("accept")),
        ("action", json!("decline")),
        ("retry", json!(true)),
        ("retry", json!(false)),
        ("interrupt", json!(true)),
        ("updatedPermissions", json!([1])),
        ("watchPaths", json!(["/a"])),
    ]);
    prop::collection::vec(field, 0..3)
        .prop_map(|fields| fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

prop_compose! {
    fn output()(
        decision in decision(),
        reason in text(),
        rewrite in prop::option::of(0..3_u8),
        additional_context in text(),
        system_message in text(),
        stop in prop::option::of(text()),
        extra in extra(),
    ) -> Output {
        let updated_input = rewrite.map(|number| json!({ "command": number }));
        Output {
            decision, reason, updated_input, additional_context, system_message, stop, extra, ..Output::default()
        }
    }
}

fn outputs() -> impl Strategy<Value = Vec<Output>> {
    prop::collection::vec(output(), 0..5)
}

fn event() -> impl Strategy<Value = &'static str> {
    let mut names: Vec<&str> = EVENTS.iter().map(|event| event.name).collect();
    names.push("PreTeleport");
    prop::sample::select(names)
}

/// How strict an outcome is. Where a block means to go on working, to stop is the stricter of the two.
fn strictness(event: &str, outcome: &Outcome) -> (bool, Option<Decision>) {
    let spec = events::spec(event);
    (
        spec.block == Block::KeepsWorking && outcome.stop.is_some(),
        outcome.decision,
    )
}

fn without_warnings(mut outcome: Outcome) -> Outcome {
    outcome.warnings.clear();
    outcome
}

/// An outcome as the answer of one handler.
fn as_output(outcome: Outcome) -> Output {
    Output {
        decision: outcome.decision,
        reason: outcome.reason,
        stop: outcome.stop,
        ..Output::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_handler_that_is_added_never_weakens(event in event(), before in outputs(), added in output(), at in 0..6_usize) {
        let mut after = before.clone();
        after.insert(at.min(before.len()), added);
        let (weak, strong) = (merge(event, &before), merge(event, &after));
        prop_assert!(strictness(event, &strong) >= strictness(event, &weak), "{weak:?} became {strong:?}");
        prop_assert!(strong.stop.is_some() >= weak.stop.is_some());
    }

    #[test]
    fn a_deny_keeps_its_reason_whatever_is_added(before in outputs(), added in output(), at in 0..6_usize) {
        let mut after = before.clone();
        after.insert(at.min(before.len()), added);
        let (weak, strong) = (merge("PreToolUse", &before), merge("PreToolUse", &after));
        if weak.decision == Some(Decision::Deny) {
            let reason = strong.reason.unwrap_or_default();
            for own in before.iter().filter(|output| output.decision == Some(Decision::Deny)) {
                prop_assert!(reason.contains(own.reason.as_deref().unwrap_or_default().trim()));
            }
            prop_assert!(strong.updated_input.is_none());
        }
    }

    #[test]
    fn nothing_is_allowed_unless_someone_allows_it_and_nobody_objects(event in event(), given in outputs()) {
        if merge(event, &given).decision == Some(Decision::Allow) {
            prop_assert!(given.iter().any(|output| output.decision == Some(Decision::Allow)));
            prop_assert!(given.iter().all(|output| output.decision.is_none_or(|decision| decision == Decision::Allow)));
        }
    }

    #[test]
    fn the_order_of_the_handlers_does_not_change_what_is_decided(
        event in event(),
        (given, shuffled) in outputs().prop_flat_map(|given| (Just(given.clone()), Just(given).prop_shuffle())),
    ) {
        let (one, other) = (merge(event, &given), merge(event, &shuffled));
        prop_assert_eq!(one.decision, other.decision);
        prop_assert_eq!(one.stop.is_some(), other.stop.is_some());
        prop_assert_eq!(one.updated_input.is_some(), other.updated_input.is_some());
        let sorted = |mut texts: Vec<String>| { texts.sort(); texts };
        prop_assert_eq!(sorted(one.additional_context), sorted(other.additional_context));
        prop_assert_eq!(sorted(one.system_messages), sorted(other.system_messages));
        prop_assert_eq!(one.extra.get("action"), other.extra.get("action"));
        prop_assert_eq!(one.extra.get("retry"), other.extra.get("retry"));
    }

    #[test]
    fn a_handler_without_an_opinion_changes_nothing(event in event(), given in outputs(), at in 0..6_usize) {
        let mut more = given.clone();
        more.insert(at.min(given.len()), Output::default());
        prop_assert_eq!(without_warnings(merge(event, &given)), without_warnings(merge(event, &more)));
    }

    #[test]
    fn decisions_reasons_and_stops_can_be_merged_in_parts(first in outputs(), second in outputs()) {
        let whole = merge("PreToolUse", &[first.clone(), second.clone()].concat());
        let parts = merge("PreToolUse", &[
            as_output(merge("PreToolUse", &first)),
            as_output(merge("PreToolUse", &second)),
        ]);
        prop_assert_eq!(whole.decision, parts.decision);
        prop_assert_eq!(whole.stop, parts.stop);
        let words = |reason: Option<String>| reason.unwrap_or_default().split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        prop_assert_eq!(words(whole.reason), words(parts.reason));
    }

    #[test]
    fn exit_2_blocks_a_call_whatever_is_printed(stdout in answer_text(), stderr in any::<Vec<u8>>(), dialect in dialect()) {
        let run = Run { label: "cmd", exit: Exit::Code(2), stdout: stdout.as_bytes(), stderr: &stderr };
        let output = codec::decode(dialect, "PreToolUse", &run, OnFailure::Continue);
        prop_assert_eq!(output.decision, Some(Decision::Deny));
        prop_assert_eq!(output.updated_input, None);
    }

    #[test]
    fn a_failure_that_blocks_is_never_a_pass(stdout in answer_text(), code in 3..256_i32, dialect in dialect(), event in event()) {
        let run = Run { label: "cmd", exit: Exit::Code(code), stdout: stdout.as_bytes(), stderr: b"" };
        let output = codec::decode(dialect, event, &run, OnFailure::Block);
        if events::spec(event).failure_blocks() {
            prop_assert_eq!(output.decision, Some(Decision::Deny));
        }
    }

    #[test]
    fn any_bytes_are_read_on_any_event(stdout in any::<Vec<u8>>(), stderr in any::<Vec<u8>>(), code in any::<i32>(), event in event(), dialect in dialect()) {
        let run = Run { label: "cmd", exit: Exit::Code(code), stdout: &stdout, stderr: &stderr };
        for on_failure in [OnFailure::Continue, OnFailure::Block] {
            let output = codec::decode(dialect, event, &run, on_failure);
            prop_assert!(output.decision != Some(Decision::Allow), "no text of chance allows anything");
        }
    }
}

fn dialect() -> impl Strategy<Value = Dialect> {
    prop::sample::select(vec![
        Dialect::ClaudeCode,
        Dialect::Codex,
        Dialect::Other,
        Dialect::Dsh(DshMode::ClaudeCode),
    ])
}

/// Texts near what handlers print; none that goes into the background, which is no answer.
fn answer_text() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "{",
        "}",
        "\"decision\"",
        ":",
        ",",
        "\"approve\"",
        "\"block\"",
        "null",
        "\n",
        " ",
        "\"hookSpecificOutput\":{",
        "\"hookEventName\":\"PreToolUse\"",
        "\"hookEventName\":\"Stop\"",
        "\"permissionDecision\":\"allow\"",
        "\"permissionDecision\":\"deny\"",
        "\"updatedInput\":{}",
        "\"continue\":false",
        "[",
        "]",
        "x",
        "\u{feff}",
    ]);
    let chance = prop::collection::vec(part, 0..10).prop_map(|parts| parts.concat());
    let allow = Just(
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"x"}}}"#
            .to_owned(),
    );
    prop_oneof![4 => chance, 1 => allow]
}

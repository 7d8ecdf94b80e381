//! What must come out of one event, held against what came out.

use hookbox_protocol::Decision;

/// The words for a decision, the weakest first.
pub(crate) const WORDS: [&str; 5] = ["none", "allow", "ask", "defer", "deny"];

/// What must come out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// Words of decisions; any of them is right, and where there is none, any at all.
    pub(crate) decisions: Vec<String>,
    /// Which rule must decide.
    pub(crate) rule: Option<String>,
    /// A part of the context that the model must get; empty: it must get none.
    pub(crate) context: Option<String>,
    /// Whether the agent's turn must be ended.
    pub(crate) stop: Option<bool>,
    /// A rule, and whether it must fire.
    pub(crate) fires: Option<(String, bool)>,
}

/// What came out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answer<'a> {
    pub decision: Option<Decision>,
    /// The rules that decided, as a plugin names them or as `PLUGIN/RULE`.
    pub rules: &'a [String],
    pub reason: &'a str,
    pub context: &'a str,
    pub stop: bool,
    /// The rules that fired, whichever of them decided.
    pub fired: &'a [String],
}

impl Expected {
    /// This rule must fire, or must not; whatever else happens.
    pub fn fires(rule: &str, fires: bool) -> Self {
        Expected {
            fires: Some((rule.into(), fires)),
            ..Expected::default()
        }
    }

    /// The first thing that did not come out as expected, in words.
    pub fn difference(&self, answer: &Answer<'_>) -> Option<String> {
        let got = Decision::word(answer.decision);
        let rules = answer.rules.join(", ");
        if let Some((rule, wanted)) = &self.fires
            && answer.fired.contains(rule) != *wanted
        {
            let fired = if answer.fired.is_empty() {
                "no rule".into()
            } else {
                answer.fired.join(", ")
            };
            let not = if *wanted { "" } else { " not" };
            return Some(format!("expected rule {rule:?}{not} to fire, got {got} by {fired}"));
        }
        if !self.decisions.is_empty() && !self.decisions.iter().any(|decision| decision == got) {
            let detail = match (rules.is_empty(), answer.reason.is_empty()) {
                (true, true) => String::new(),
                (false, true) => format!(" ({rules})"),
                (true, false) => format!(" ({})", answer.reason),
                (false, false) => format!(" ({rules}: {})", answer.reason),
            };
            return Some(format!("expected {}, got {got}{detail}", self.decisions.join(" or ")));
        }
        if let Some(rule) = self.rule.as_ref().filter(|rule| !decided(answer.rules, rule)) {
            return Some(format!("expected rule {rule:?}, got {rules:?}"));
        }
        let strict = answer.decision.is_some_and(|decision| decision != Decision::Allow);
        if strict && answer.reason.is_empty() {
            return Some("a decision without a reason".into());
        }
        match self.context.as_deref() {
            Some("") if !answer.context.is_empty() => {
                return Some(format!("expected no context, got {:?}", answer.context));
            }
            Some(part) if !answer.context.contains(part) => {
                return Some(format!("expected context with {part:?}, got {:?}", answer.context));
            }
            _ => {}
        }
        self.stop
            .filter(|stop| *stop != answer.stop)
            .map(|stop| format!("expected stop {stop}, got {}", answer.stop))
    }
}

/// Whether the rule is among those that decided; a rule may be named with its plugin.
fn decided(rules: &[String], wanted: &str) -> bool {
    let without_plugin = |rule: &String| rule.split_once('/').is_some_and(|(_, rule)| rule == wanted);
    rules.iter().any(|rule| rule == wanted || without_plugin(rule))
}

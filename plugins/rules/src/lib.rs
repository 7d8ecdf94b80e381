//! An organisation's own deny, ask and allow rules, as data in `settings`.
//!
//! `settings.rs` reads the rules, `conditions.rs` and `pattern.rs` say what a rule may ask for, `subject.rs` takes an
//! event apart into the things that rules judge, `index.rs` finds the rules that can hold, `judge.rs` asks the rules and joins their answers.
//!
//! A deny or ask rule fires where its conditions hold for *something* that the event does. An allow rule fires only
//! where they hold for *everything* that it does: a yes must never rest on a part.

mod conditions;
mod glob;
mod index;
mod judge;
mod pattern;
mod repository;
mod settings;
mod subject;

use hookbox_sdk::{Event, Host, Output, Plugin};
use index::Index;
pub use settings::{Effect, Rule};

/// The rules, compiled.
#[derive(Debug)]
pub struct Rules {
    rules: Vec<Rule>,
    index: Index,
}

impl Plugin for Rules {
    type Settings = serde_json::Value;

    fn configure(settings: Self::Settings) -> Result<Self, String> {
        let rules = settings::parse(&settings)?;
        let index = Index::new(&rules);
        Ok(Rules { rules, index })
    }

    fn handle(&self, event: &Event, host: &impl Host) -> Result<Output, String> {
        Ok(judge::judge(&self.rules, &self.index, event, host))
    }
}

hookbox_sdk::export!(Rules);

#[cfg(test)]
mod tests {
    use super::Rules;

    #[test]
    fn it_says_what_its_cases_expect() {
        hookbox_sdk::test::run_cases::<Rules>(include_str!("../cases.toml"));
    }
}

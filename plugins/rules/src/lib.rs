//! An organisation's own deny, ask and allow rules, as data in `settings`.
//!
//! `settings.rs` reads the rules, `conditions.rs` and `pattern.rs` say what a rule may ask for, `subject.rs` takes an
//! event apart into the things that rules judge, `judge.rs` asks the rules and joins their answers.
//!
//! A deny or ask rule fires where its conditions hold for *something* that the event does. An allow rule fires only
//! where they hold for *everything* that it does: a yes must never rest on a part.

mod conditions;
mod glob;
mod judge;
mod pattern;
mod repository;
mod settings;
mod subject;

use hookbox_sdk::{Event, Host, Output, Plugin};
pub use settings::{Effect, Rule};

/// The rules, compiled.
#[derive(Debug)]
pub struct Rules {
    rules: Vec<Rule>,
}

impl Plugin for Rules {
    type Settings = serde_json::Value;

    fn configure(settings: Self::Settings) -> Result<Self, String> {
        Ok(Rules {
            rules: settings::parse(&settings)?,
        })
    }

    fn handle(&self, event: &Event, host: &impl Host) -> Result<Output, String> {
        Ok(judge::judge(&self.rules, event, host))
    }
}

hookbox_sdk::export!(Rules);

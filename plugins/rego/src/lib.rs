//! Policies in Rego, for teams that have them.
//!
//! `settings.rs` reads and checks the policies, `scan.rs` finds calls of functions that do not exist, `input.rs` makes
//! the event the policies' `input`, `verbs.rs` turns what their rules say (`deny`, `ask`, `allow`, …) into an answer.

mod builtins;
mod input;
mod scan;
mod settings;
mod verbs;

use hookbox_sdk::{Event, Host, Level, Output, Plugin};
use regorus::Engine;
pub use settings::Settings;
use std::sync::Mutex;
use verbs::{Asked, Found};

/// The policies, parsed, and the rules that are asked.
#[derive(Debug)]
pub struct Rego {
    /// Evaluation writes into the engine; an event has an instance of its own, so nobody waits.
    engine: Mutex<Engine>,
    asked: Vec<Asked>,
}

impl Plugin for Rego {
    type Settings = Settings;

    fn configure(settings: Settings) -> Result<Self, String> {
        let (engine, asked) = settings.read()?;
        Ok(Rego {
            engine: Mutex::new(engine),
            asked,
        })
    }

    fn handle(&self, event: &Event, host: &impl Host) -> Result<Output, String> {
        let mut engine = self
            .engine
            .lock()
            .map_err(|_| "the policies stopped in the middle of another event")?;
        engine.set_input(input::input(event, host)?);
        let mut found = Found::default();
        for rule in &self.asked {
            let value = engine.eval_rule(rule.path.clone()).map_err(|error| {
                format!(
                    "{}: {error}
{STRICT}",
                    rule.path
                )
            })?;
            found.take(rule, &value)?;
        }
        for line in engine.take_prints().unwrap_or_default() {
            host.log(Level::Info, &line);
        }
        Ok(found.output())
    }
}

/// What to do about a policy that fails on an event.
const STRICT: &str =
    "hint: mend the policy; `\"strict\": false` in the settings makes a function that fails undefined, as OPA does";

hookbox_sdk::export!(Rego);

#[cfg(test)]
mod tests {
    use super::Rego;

    #[test]
    fn it_says_what_its_cases_expect() {
        hookbox_sdk::test::run_cases::<Rego>(include_str!("../cases.toml"));
    }
}

//! A time budget for a task: the model is told how much is left, is warned, gets no new tools in the last phase, and is
//! stopped at the deadline.
//!
//! The layers do not replace each other. Context alone can be ignored; a denial alone cannot end what already runs; a
//! deadline alone may come before the answer is written. `settings.rs` reads the budget, `phase.rs` says where in it a
//! moment lies, `words.rs` says it to the model; this file keeps the start and what was said in `state`.

mod phase;
mod settings;
mod words;

use hookbox_sdk::{Event, Host, Level, Output, Plugin, Scope};
use phase::Phase;
use settings::Budget;
pub use settings::Settings;

/// When the task began, in milliseconds since the epoch.
const STARTED: &str = "started";
/// When the model was last told what is left, in milliseconds since the epoch.
const TOLD: &str = "told";
/// How many warnings of this task were given.
const WARNED: &str = "warned";

/// The budget, read.
#[derive(Debug)]
pub struct TimeBudget {
    budget: Budget,
}

impl Plugin for TimeBudget {
    type Settings = Settings;

    fn configure(settings: Settings) -> Result<Self, String> {
        Ok(TimeBudget {
            budget: settings.read()?,
        })
    }

    fn handle(&self, event: &Event, host: &impl Host) -> Result<Output, String> {
        let now = host.now();
        match event.name.as_str() {
            "UserPromptSubmit" | "SessionStart" => self.begin(event, now, host),
            "PreToolUse" => self.before(event, now, host),
            // Failures use the budget up as successes do.
            "PostToolUse" | "PostToolUseFailure" | "PostToolBatch" => self.after(now, host),
            _ => Ok(Output::none()),
        }
    }
}

impl TimeBudget {
    /// A task begins with a prompt, or with the session where the budget is the session's.
    fn begin(&self, event: &Event, now: u64, host: &impl Host) -> Result<Output, String> {
        let restarts = event.name == "UserPromptSubmit" && !self.budget.per_session;
        if !restarts && (event.name == "SessionStart" && !self.budget.per_session || number(host, STARTED).is_some()) {
            return Ok(Output::none());
        }
        set(host, STARTED, Some(now))?;
        set(host, TOLD, Some(now))?;
        set(host, WARNED, None)?;
        Ok(Output::context(words::begun(&self.budget)))
    }

    /// No new tools in the last phase, and an end at the deadline.
    fn before(&self, event: &Event, now: u64, host: &impl Host) -> Result<Output, String> {
        let used = self.used(now, host)?;
        let tool = event.tool.as_ref().map_or("", |tool| tool.name.as_str());
        match self.budget.phase(used) {
            Phase::Working => Ok(Output::none()),
            Phase::Final if self.budget.allowed_last(tool) => Ok(Output::none()),
            Phase::Final => Ok(Output::deny("final-phase", words::last_phase(&self.budget, used))),
            Phase::Over => Ok(self.over(used)),
        }
    }

    /// What is left, as context: at each warning, and in between not more often than `remindEvery`.
    fn after(&self, now: u64, host: &impl Host) -> Result<Output, String> {
        let used = self.used(now, host)?;
        let phase = self.budget.phase(used);
        if phase == Phase::Over {
            let end = self.over(used);
            return Ok(Output {
                stop: end.stop,
                ..Output::context(end.reason.unwrap_or_default())
            });
        }
        let due = self.budget.warnings_due(used);
        let given = number(host, WARNED).unwrap_or(0);
        if due > given {
            set(host, WARNED, Some(due))?;
            set(host, TOLD, Some(now))?;
            let text = words::warning(&self.budget, used, phase);
            host.log(Level::Info, &text);
            return Ok(Output {
                system_message: Some(words::for_the_user(&self.budget, used)),
                ..Output::context(text)
            });
        }
        let told = number(host, TOLD).unwrap_or(0);
        if now.saturating_sub(told) < self.budget.remind_every {
            return Ok(Output::none());
        }
        set(host, TOLD, Some(now))?;
        Ok(Output::context(words::reminder(&self.budget, used, phase)))
    }

    fn over(&self, used: u64) -> Output {
        let text = words::over(&self.budget, used);
        let stop = self.budget.stop.then(|| words::stopped(&self.budget));
        Output {
            stop,
            ..Output::deny("deadline", text)
        }
    }

    /// Milliseconds since the task began. A task whose beginning was not seen begins now, and so does one that began in
    /// the future: the clock was set back.
    fn used(&self, now: u64, host: &impl Host) -> Result<u64, String> {
        match number(host, STARTED) {
            Some(started) if started <= now => Ok(now - started),
            _ => {
                set(host, STARTED, Some(now))?;
                set(host, TOLD, Some(now))?;
                set(host, WARNED, None)?;
                Ok(0)
            }
        }
    }
}

fn number(host: &impl Host, key: &str) -> Option<u64> {
    String::from_utf8(host.get(Scope::Session, key)?).ok()?.parse().ok()
}

fn set(host: &impl Host, key: &str, value: Option<u64>) -> Result<(), String> {
    let text = value.map(|value| value.to_string());
    host.set(Scope::Session, key, text.as_deref().map(str::as_bytes))
        .map_err(|error| format!("the time budget cannot be kept: {error}"))
}

hookbox_sdk::export!(TimeBudget);

#[cfg(test)]
mod tests {
    use super::TimeBudget;

    #[test]
    fn it_says_what_its_cases_expect() {
        hookbox_sdk::test::run_cases::<TimeBudget>(include_str!("../cases.toml"));
    }
}

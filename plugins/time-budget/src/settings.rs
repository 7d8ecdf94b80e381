//! The budget from `settings`: durations are seconds or `1h30m`, shares of the budget are `20%`.

use serde::Deserialize;

/// Settings as they are written.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Settings {
    /// How long a task may take.
    budget: Option<Span>,
    per: Per,
    /// The last phase: no new tools.
    last: Option<Span>,
    /// What must be left when a warning is given.
    warn_at: Option<Vec<Span>>,
    /// The least time between two reminders.
    remind_every: Option<Span>,
    /// Tools that may be used in the last phase; `*` at the end stands for any rest.
    allow_last: Option<Vec<String>>,
    /// Whether the agent's turn is ended at the deadline.
    stop: Option<bool>,
}

/// What has one budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Per {
    /// Each prompt of the user.
    #[default]
    Prompt,
    Session,
}

/// Seconds, or text: `90s`, `1h30m`, `20%`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Span {
    Seconds(f64),
    Text(String),
}

/// A budget: all times in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    pub(crate) total: u64,
    pub(crate) last: u64,
    /// From the first (most left) to the last; the last phase is one of them.
    pub(crate) warn_at: Vec<u64>,
    pub(crate) remind_every: u64,
    pub(crate) allow_last: Vec<String>,
    pub(crate) per_session: bool,
    pub(crate) stop: bool,
}

/// The longest budget, so that sums stay far from overflow.
const MAX_DAYS: u64 = 365;

/// Writing a plan or an answer down extends nothing.
const ALLOWED_LAST: [&str; 2] = ["TodoWrite", "ExitPlanMode"];

impl Settings {
    /// # Errors
    /// What is wrong, and how to mend it.
    pub(crate) fn read(self) -> Result<Budget, String> {
        let Some(budget) = self.budget else {
            return Err("settings.budget is missing: how long a task may take, as in \"30m\"".into());
        };
        let total = budget
            .milliseconds(None)
            .map_err(|error| format!("settings.budget: {error}"))?;
        if total == 0 {
            return Err("settings.budget: no time at all; leave the plugin out to have no budget".into());
        }
        let share = |span: Span, key: &str| {
            let time = span
                .milliseconds(Some(total))
                .map_err(|error| format!("settings.{key}: {error}"))?;
            match time < total {
                true => Ok(time),
                false => Err(format!("settings.{key}: it must be less than the budget")),
            }
        };
        let last = share(self.last.unwrap_or(Span::Text("10%".into())), "last")?;
        let warn_at = self
            .warn_at
            .unwrap_or_else(|| vec![Span::Text("50%".into()), Span::Text("25%".into())]);
        let mut warn_at = warn_at
            .into_iter()
            .map(|span| share(span, "warnAt"))
            .collect::<Result<Vec<u64>, String>>()?;
        warn_at.push(last);
        warn_at.sort_unstable_by(|a, b| b.cmp(a));
        warn_at.dedup();
        Ok(Budget {
            total,
            last,
            warn_at,
            remind_every: share(self.remind_every.unwrap_or(Span::Text("10%".into())), "remindEvery")?,
            allow_last: self
                .allow_last
                .unwrap_or_else(|| ALLOWED_LAST.map(String::from).to_vec()),
            per_session: self.per == Per::Session,
            stop: self.stop.unwrap_or(true),
        })
    }
}

impl Span {
    /// `whole`: what a share is a share of, where one is allowed.
    fn milliseconds(&self, whole: Option<u64>) -> Result<u64, String> {
        let time = match self {
            Span::Seconds(seconds) if seconds.is_finite() && *seconds >= 0.0 => (*seconds * 1000.0) as u64,
            Span::Seconds(seconds) => return Err(format!("{seconds} is not a duration")),
            Span::Text(text) => text_milliseconds(text, whole).ok_or_else(|| {
                format!(
                    "`{text}` is not a duration: seconds, or text as \"90s\", \"1h30m\"{}",
                    match whole {
                        Some(_) => ", \"20%\"",
                        None => "",
                    }
                )
            })?,
        };
        match time <= MAX_DAYS * 24 * 3_600_000 {
            true => Ok(time),
            false => Err(format!("more than {MAX_DAYS} days")),
        }
    }
}

fn text_milliseconds(text: &str, whole: Option<u64>) -> Option<u64> {
    let text = text.trim();
    if let Some(percent) = text.strip_suffix('%') {
        let percent: u64 = percent.trim().parse().ok().filter(|percent| *percent <= 100)?;
        return Some(whole? / 100 * percent + whole? % 100 * percent / 100);
    }
    let mut total = 0u64;
    let mut number = String::new();
    for letter in text.chars() {
        match letter {
            '0'..='9' => number.push(letter),
            ' ' if number.is_empty() => {}
            _ => {
                let unit = match letter {
                    'd' => 86_400_000,
                    'h' => 3_600_000,
                    'm' => 60_000,
                    's' => 1000,
                    _ => return None,
                };
                total = total.checked_add(number.parse::<u64>().ok()?.checked_mul(unit)?)?;
                number.clear();
            }
        }
    }
    (number.is_empty() && !text.is_empty()).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(settings: serde_json::Value) -> Result<Budget, String> {
        serde_json::from_value::<Settings>(settings)
            .map_err(|error| error.to_string())?
            .read()
    }

    #[test]
    fn durations_are_seconds_units_or_shares() {
        let budget =
            read(json!({"budget": "1h30m", "last": "10%", "warnAt": [600, "50%", "10%"], "remindEvery": 0})).unwrap();
        assert_eq!(
            (budget.total, budget.last, budget.remind_every),
            (5_400_000, 540_000, 0)
        );
        assert_eq!(budget.warn_at, [2_700_000, 600_000, 540_000]);
        assert_eq!(read(json!({"budget": 90})).unwrap().total, 90_000);
        assert_eq!(read(json!({"budget": "1d 2h"})).unwrap().total, 93_600_000);
    }

    #[test]
    fn a_mistake_is_told_with_its_key_and_the_remedy() {
        let rows = [
            (json!({}), "settings.budget is missing"),
            (json!({"budget": 0}), "no time at all"),
            (json!({"budget": "soon"}), "settings.budget: `soon` is not a duration"),
            (json!({"budget": "30"}), "`30` is not a duration"),
            (json!({"budget": "30%"}), "`30%` is not a duration"),
            (json!({"budget": -1}), "not a duration"),
            (json!({"budget": 1e300}), "more than 365 days"),
            (json!({"budget": "99999999999999999999d"}), "not a duration"),
            (
                json!({"budget": "1m", "last": "2m"}),
                "settings.last: it must be less than the budget",
            ),
            (json!({"budget": "1m", "warnAt": ["101%"]}), "settings.warnAt: `101%`"),
            (json!({"budget": "1m", "per": "day"}), "unknown variant `day`"),
            (json!({"budgt": "1m"}), "unknown field `budgt`"),
        ];
        for (settings, expected) in rows {
            let error = read(settings.clone()).unwrap_err();
            assert!(error.contains(expected), "{settings}: {error}");
        }
    }
}

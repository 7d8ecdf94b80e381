//! What the model and the user are told.

use crate::phase::Phase;
use crate::settings::Budget;

/// A duration as people write it: `1h5m`, `12m30s`, `40s`. Rounded down, so that nobody counts on time that is not there.
pub(crate) fn span(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes, seconds) {
        (0, 0, seconds) => format!("{seconds}s"),
        (0, minutes, 0) => format!("{minutes}m"),
        (0, minutes, seconds) => format!("{minutes}m{seconds}s"),
        (hours, 0, _) => format!("{hours}h"),
        (hours, minutes, _) => format!("{hours}h{minutes}m"),
    }
}

fn left(budget: &Budget, used: u64) -> String {
    format!("{} of {} left", span(budget.left(used)), span(budget.total))
}

pub(crate) fn begun(budget: &Budget) -> String {
    format!(
        "Time budget: {} for this task. In the last {} no new tools run: plan so that the answer is written by then.",
        span(budget.total),
        span(budget.last)
    )
}

pub(crate) fn reminder(budget: &Budget, used: u64, phase: Phase) -> String {
    match phase {
        Phase::Working => format!("Time budget: {}.", left(budget, used)),
        Phase::Final | Phase::Over => warning(budget, used, phase),
    }
}

pub(crate) fn warning(budget: &Budget, used: u64, phase: Phase) -> String {
    match phase {
        Phase::Working => format!(
            "Time budget: {}. Begin nothing that does not fit: finish what is most useful, then answer.",
            left(budget, used)
        ),
        Phase::Final | Phase::Over => format!(
            "Time budget: {}. This is the last phase: no new tools. Answer now with what you have, and say what is open.",
            left(budget, used)
        ),
    }
}

pub(crate) fn for_the_user(budget: &Budget, used: u64) -> String {
    format!("time budget: {}", left(budget, used))
}

pub(crate) fn last_phase(budget: &Budget, used: u64) -> String {
    format!(
        "{}: in the last {} no new tools run. Answer now with what you have, and say what is open; trying another tool \
         only uses the time up",
        left(budget, used),
        span(budget.last)
    )
}

pub(crate) fn over(budget: &Budget, used: u64) -> String {
    format!(
        "the time budget of {} is used up ({} since the task began): no tools run any more",
        span(budget.total),
        span(used)
    )
}

pub(crate) fn stopped(budget: &Budget) -> String {
    format!("the time budget of {} is used up", span(budget.total))
}

#[cfg(test)]
mod tests {
    use super::span;

    #[test]
    fn spans_are_short() {
        let rows = [
            (999, "0s"),
            (40_000, "40s"),
            (60_000, "1m"),
            (750_000, "12m30s"),
            (3_600_000, "1h"),
            (3_905_000, "1h5m"),
        ];
        for (milliseconds, text) in rows {
            assert_eq!(span(milliseconds), text);
        }
    }
}

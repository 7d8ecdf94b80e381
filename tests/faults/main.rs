//! Everything that can break, on every event: event × fault × outcome, each fault injected for real.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod agent;
mod entry;
mod fault;
mod host;
mod limits;

use fault::{Fault, Means};
use hookbox_protocol::events::{Block, Blocking, EVENTS, EventSpec};
use hookbox_tests::{Place, Ran, page};
use serde_json::{Value, json};
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What came of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// The agent is told that it may not.
    Blocked,
    /// The agent may stop, and is told what broke.
    Stops,
    /// The agent is told what broke; nothing could be prevented.
    Reported,
    /// It goes on, as `onFailure: "continue"` says, and the audit shows the failure.
    Audited,
    /// As without the fault.
    Judged,
    /// It goes on, and nobody is told.
    Hole,
}

impl Outcome {
    fn word(self) -> &'static str {
        match self {
            Outcome::Blocked => "blocked",
            Outcome::Stops => "stops",
            Outcome::Reported => "reported",
            Outcome::Audited => "goes on",
            Outcome::Judged => "judged",
            Outcome::Hole => "HOLE",
        }
    }
}

fn event(place: &Place, spec: &EventSpec) -> Value {
    let mut event = json!({
        "session_id": "s1", "transcript_path": "/tmp/t.jsonl", "cwd": place.project(), "hook_event_name": spec.name,
    });
    for field in spec.input {
        let value = match *field {
            "tool_name" => json!("Bash"),
            "tool_input" => json!({ "command": "ls" }),
            "tool_response" => json!({ "stdout": "" }),
            "tool_use_id" | "prompt" | "error" | "reason" => json!("text"),
            _ => continue,
        };
        event[*field] = value;
    }
    if let hookbox_protocol::events::Matched::Field(field) = spec.matched {
        event[field] = json!(spec.values.first().unwrap_or(&"text"));
    }
    event
}

fn outcome(spec: &EventSpec, fault: &Fault, ran: &Ran, before: Option<&Ran>) -> Outcome {
    if let Some(before) = before {
        let heard = fault.means == Means::Unheard || ran.stdout == before.stdout;
        let same = heard && (ran.code, &ran.stderr) == (before.code, &before.stderr);
        return if same { Outcome::Judged } else { Outcome::Hole };
    }
    let said = ran.stdout.contains(fault.says) || ran.stderr.contains(fault.says);
    let audited = ran
        .audit
        .iter()
        .any(|line| !line["failure"].is_null() || line["type"] == "host/fault");
    match ran.code {
        Some(2) if said => Outcome::Blocked,
        Some(0) if said && spec.blocks == Blocking::KeepsWorking => Outcome::Stops,
        // A line of the agent's that fails with another code than 2 is shown, and in the way of nothing.
        Some(code) if said && code != 0 && spec.blocks == Blocking::KeepsWorking => Outcome::Stops,
        Some(0) if said => Outcome::Reported,
        Some(0) if audited => Outcome::Audited,
        _ => Outcome::Hole,
    }
}

/// What may come of it; everything else is a hole.
fn right(spec: &EventSpec, means: Means, outcome: Outcome) -> bool {
    match (means, spec.blocks) {
        (Means::Judged | Means::Unheard, _) => outcome == Outcome::Judged,
        (Means::Unknown, _) => outcome == Outcome::Blocked,
        (Means::Block, Blocking::Prevents) => outcome == Outcome::Blocked,
        (Means::Block, Blocking::KeepsWorking) => outcome == Outcome::Stops,
        // An exit 2 there prevents nothing: it is how the text reaches the model or the user.
        (Means::Block, Blocking::NoEffect) => {
            outcome == Outcome::Reported || (outcome == Outcome::Blocked && spec.block != Block::KeepsWorking)
        }
        (Means::Continue, Blocking::KeepsWorking) => matches!(outcome, Outcome::Audited | Outcome::Stops),
        (Means::Continue, _) => matches!(outcome, Outcome::Audited | Outcome::Reported | Outcome::Blocked),
    }
}

/// One fault on every event; none where the fault cannot be injected here.
fn row(fault: &Fault, wrong: &Mutex<Vec<String>>) -> Option<Vec<Outcome>> {
    let place = Place::new();
    let ready = match (fault.prepare)(&place) {
        Ok(ready) => ready,
        Err(why) => {
            println!("skipped: {}: {why}", fault.name);
            return None;
        }
    };
    let cells = EVENTS.iter().map(|spec| {
        let event = event(&place, spec);
        let before =
            matches!(fault.means, Means::Judged | Means::Unheard).then(|| fault::healthy(&place, &ready, &event));
        let ran = (fault.run)(&place, &ready, &event);
        let outcome = outcome(spec, fault, &ran, before.as_ref());
        if !right(spec, fault.means, outcome) {
            wrong
                .lock()
                .unwrap()
                .push(format!("{} × {}: {}: {ran:?}", spec.name, fault.name, outcome.word()));
        }
        outcome
    });
    let cells = cells.collect();
    (fault.tidy)(&place);
    Some(cells)
}

#[test]
fn no_fault_lets_through_what_could_have_been_blocked() {
    let only = std::env::var("FAULT").unwrap_or_default();
    let all: Vec<Fault> = fault::all()
        .into_iter()
        .filter(|fault| fault.name.contains(&only))
        .collect();
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let rows: Vec<Mutex<Option<Vec<Outcome>>>> = all.iter().map(|_| Mutex::new(None)).collect();
    let work = || {
        while let Some(fault) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            let at = all.iter().position(|other| std::ptr::eq(other, fault)).unwrap();
            *rows[at].lock().unwrap() = row(fault, &wrong);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
        work();
    });
    let rows: Vec<Option<Vec<Outcome>>> = rows.into_iter().map(|row| row.into_inner().unwrap()).collect();
    let table = table(&all, &rows);
    println!("{table}");
    let wrong = wrong.into_inner().unwrap();
    let shown: Vec<String> = wrong.iter().map(|line| line.chars().take(1_500).collect()).collect();
    assert!(wrong.is_empty(), "{} cells:\n{}", wrong.len(), shown.join("\n"));
    // A machine where a fault cannot be injected has no complete table.
    if only.is_empty() && rows.iter().all(Option::is_some) {
        page("faults.md", &table);
    }
}

/// The page of the docs. Events whose cells are the same in every row stand together.
fn table(faults: &[Fault], rows: &[Option<Vec<Outcome>>]) -> String {
    let column =
        |at: usize| -> Vec<Option<Outcome>> { rows.iter().map(|row| row.as_ref().map(|row| row[at])).collect() };
    let mut groups: Vec<(Vec<Option<Outcome>>, Vec<&str>)> = Vec::new();
    for (at, spec) in EVENTS.iter().enumerate() {
        let cells = column(at);
        match groups.iter_mut().find(|(same, _)| *same == cells) {
            Some((_, names)) => names.push(spec.name),
            None => groups.push((cells, vec![spec.name])),
        }
    }
    let mut text = String::from(
        "# What breaks, and what then happens\n\nGenerated by the run of `tests/faults` (`cargo xtask generate`): every event of the table of \
         events met every fault, injected\nfor real, under `hookbox run` as `claude-code` calls it. Events with the same outcomes stand in one \
         column.\n\n* blocked: the agent is told that it may not (where nothing can be prevented: is told what broke). With nothing on stdin not even the\n  event's name is known, so that is blocked whatever it is\n* stops: the agent may \
         stop, and is told what broke; it never goes on working because of a fault\n* reported: nothing could be prevented; what broke is \
         said\n* goes on: as `onFailure: \"continue\"` says; the audit has the failure\n* judged: the fault changes no verdict\n\n",
    );
    for (at, (_, names)) in groups.iter().enumerate() {
        let _ = writeln!(text, "{}. {}", at + 1, names.join(", "));
    }
    let _ = write!(text, "\n| fault | says |");
    (1..=groups.len()).for_each(|at| text.push_str(&format!(" {at} |")));
    let _ = write!(text, "\n|---|---|");
    groups.iter().for_each(|_| text.push_str("---|"));
    for (at, fault) in faults.iter().enumerate() {
        let _ = write!(text, "\n| {} | {} |", fault.name, fault.says);
        for (cells, _) in &groups {
            let _ = write!(text, " {} |", cells[at].map_or("-", Outcome::word));
        }
    }
    text.push('\n');
    text
}

//! `cargo xtask bench [RUNS] [--compare FILE] [--docs]`: whole processes side by side in one run, interleaved; medians, and
//! ratios to `sh -c true`.
//!
//! Times of a shared machine mean little by themselves, so what can be a ratio is one. Prints every budget with what was measured
//! beside it, and exits with 1 where one is missed. The results are kept as JSON in `target/bench/results.json`; `--compare`
//! names those of another run, `--docs` keeps the plots in the book.

mod plot;
mod process;
mod resident;
mod scenes;

use crate::plugins::root;
use anyhow::{Context, Result, bail, ensure};
use process::{Subject, interleaved};
use scenes::Scenes;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Rounds, where the command does not say.
const RUNS: usize = 60;

/// Everything that was measured, by name. Times are medians in milliseconds.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Results {
    runs: usize,
    milliseconds: BTreeMap<String, f64>,
    first_run_milliseconds: BTreeMap<String, f64>,
    peak_kib: BTreeMap<String, u64>,
    budgets: Vec<Budget>,
}

/// What is asked for, and what it is.
#[derive(Debug, Serialize, Deserialize)]
struct Budget {
    what: String,
    unit: String,
    measured: f64,
    budget: f64,
    /// The budget is a floor, not a ceiling.
    at_least: bool,
}

impl Budget {
    fn met(&self) -> bool {
        // What could not be measured is no number, and no number is met.
        if self.at_least {
            self.measured >= self.budget
        } else {
            self.measured <= self.budget
        }
    }
}

struct Asked {
    runs: usize,
    compare: Option<PathBuf>,
    docs: bool,
}

impl Asked {
    fn read(args: &[String]) -> Result<Self> {
        let mut asked = Asked {
            runs: RUNS,
            compare: None,
            docs: false,
        };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--docs" => asked.docs = true,
                "--compare" => asked.compare = Some(args.next().context("--compare FILE")?.into()),
                runs => match runs.parse() {
                    Ok(runs) => asked.runs = runs,
                    Err(_) => bail!("usage: cargo xtask bench [RUNS] [--compare FILE] [--docs]"),
                },
            }
        }
        Ok(asked)
    }
}

pub(crate) fn run(args: &[String]) -> Result<()> {
    let asked = Asked::read(args)?;
    let before: Option<Results> = asked.compare.as_deref().map(read).transpose()?;
    let folder = root().join("target/bench");
    let home = folder.join("home");
    // The first run of all is one on a machine that has never seen hookbox.
    let _ = fs::remove_dir_all(&home);
    fs::create_dir_all(&home)?;
    let scenes = Scenes::new(&installed(&folder)?, &folder);
    let nothing = scenes::nothing()?;
    let git = fs::read(root().join("plugins/dist/guard-git.wasm"))?;

    let mut results = Results {
        runs: asked.runs,
        ..Results::default()
    };
    let mut measure = |mut subjects: Vec<Subject>, runs: usize| -> Result<()> {
        interleaved(&mut subjects, runs, &home)?;
        for subject in &subjects {
            let milliseconds = subject.median() * 1e3;
            println!(
                "{:<22} {milliseconds:>8.2} ms   first run {:>8.1} ms   {:>5.1} MiB",
                subject.name,
                subject.first.as_secs_f64() * 1e3,
                subject.peak as f64 / 1024.0
            );
            let name = || subject.name.clone();
            results.milliseconds.insert(name(), milliseconds);
            results
                .first_run_milliseconds
                .insert(name(), subject.first.as_secs_f64() * 1e3);
            results.peak_kib.insert(name(), subject.peak);
        }
        Ok(())
    };
    measure(scenes.beside_others()?, asked.runs)?;
    measure(scenes.plugins("nothing", &nothing)?, asked.runs)?;
    measure(scenes.plugins("guard-git", &git)?, asked.runs)?;
    measure(scenes.rules()?, asked.runs)?;
    measure(scenes.sizes(), asked.runs)?;
    let warm = resident::warm_call()?;
    let served = resident::serve(&scenes.hookbox, &home);
    if let Err(error) = &served {
        println!("hookbox serve: {error:#}");
    }
    results.budgets = budgets(&results, warm, served.ok());
    fs::write(folder.join("results.json"), serde_json::to_string_pretty(&results)?)?;
    if asked.docs {
        plot::growth(&results.milliseconds)?;
    }
    if let Some(before) = before {
        compare(&before, &results);
    }
    let missed = told(&results.budgets);
    ensure!(missed == 0, "{missed} budgets missed");
    Ok(())
}

/// The program as it is installed: a copy, which the page cache holds in one piece, unlike what the linker wrote.
fn installed(folder: &Path) -> Result<PathBuf> {
    let built = Command::new("cargo")
        .current_dir(root())
        .args(["build", "--release", "-p", "hookbox-cli"])
        .status()?;
    ensure!(built.success(), "the program cannot be built");
    let program = folder.join("hookbox");
    let _ = fs::remove_file(&program);
    fs::copy(root().join("target/release/hookbox"), &program)?;
    Ok(program)
}

fn budgets(results: &Results, warm: f64, served: Option<resident::Served>) -> Vec<Budget> {
    let time = |name: &str| results.milliseconds.get(name).copied().unwrap_or(f64::NAN);
    let row = |what: &str, unit: &str, measured: f64, budget: f64| Budget {
        what: what.into(),
        unit: unit.into(),
        measured,
        budget,
        at_least: false,
    };
    let ratio = |a: &str, b: &str, budget: f64| row(&format!("{a} ÷ {b}"), "", time(a) / time(b), budget);
    let further = (time("pack") - time("1 plugin")) / 4.0 * 1e3;
    let nothing = (time("10 × nothing") - time("1 × nothing")) / 9.0 * 1e3;
    let per_second = served.as_ref().map_or(f64::NAN, |served| served.per_second);
    let p99 = served.as_ref().map_or(f64::NAN, |served| served.p99_milliseconds);
    let peak = results
        .peak_kib
        .get("pack")
        .map_or(f64::NAN, |kib| *kib as f64 / 1024.0);
    vec![
        ratio("1 plugin", "sh -c true", 1.7),
        ratio("pack", "sh -c true", 2.2),
        ratio("pack", "python hook", 0.08),
        ratio("pack", "bash + jq hook", 0.6),
        row("warm call, fresh instance, plugin that does nothing", "µs", warm, 30.0),
        row("each further plugin, of the pack", "µs", further, 150.0),
        row(
            "each further plugin, of its own file, that does nothing",
            "µs",
            nothing,
            150.0,
        ),
        ratio("10000 rules", "10 rules", 2.0),
        ratio("pack, 1 MiB event", "pack", 4.0),
        Budget {
            at_least: true,
            ..row("serve, HTTP keep-alive, whole pack", "decisions/s", per_second, 5_000.0)
        },
        row("serve, p99 at half of that", "ms", p99, 5.0),
        row("peak memory, one-shot with the pack", "MiB", peak, 40.0),
    ]
}

/// Prints the table; how many are missed.
fn told(budgets: &[Budget]) -> usize {
    println!("\n| what | measured | budget | |\n|---|---|---|---|");
    for budget in budgets {
        let sign = if budget.at_least { '≥' } else { '≤' };
        let verdict = if budget.met() { "met" } else { "MISSED" };
        let Budget {
            what,
            unit,
            measured,
            budget,
            ..
        } = budget;
        println!("| {what} | {measured:.2} {unit} | {sign} {budget} {unit} | {verdict} |");
    }
    budgets.iter().filter(|budget| !budget.met()).count()
}

fn read(path: &Path) -> Result<Results> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    serde_json::from_str(&text).with_context(|| format!("{}: not the results of a run", path.display()))
}

/// Each time beside that of another run, both in units of that run's own `sh -c true`.
fn compare(before: &Results, now: &Results) {
    let shell = |results: &Results| results.milliseconds.get("sh -c true").copied().unwrap_or(f64::NAN);
    println!("\n| ÷ sh -c true | before | now | |\n|---|---|---|---|");
    for (name, time) in &now.milliseconds {
        if let Some(old) = before.milliseconds.get(name) {
            let (old, new) = (old / shell(before), time / shell(now));
            println!("| {name} | {old:.2} | {new:.2} | {:+.0} % |", (new / old - 1.0) * 100.0);
        }
    }
}

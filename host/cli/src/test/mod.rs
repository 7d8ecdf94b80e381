//! `hookbox test`: cases through the component or the configuration itself, decided as `hookbox run` decides.
//!
//! What is tested is a plugin with its `cases.toml`, the examples inside a file of rules, or a whole configuration.
//! `subject` finds what is meant, `examples` makes cases of rules, `runner` runs them, `tree` is the file system they see.

mod examples;
mod runner;
mod subject;
mod tree;

use anyhow::{Context, Result, bail};
use clap::Args;
use hookbox::printable;
use hookbox_cases::Cases;
use runner::{Differing, Runner};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use subject::Subject;

#[derive(Args, Debug)]
pub(crate) struct Test {
    /// Files of cases or of rules, or the folders of plugins; the current folder where none is named
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The plugin that the cases are for: a component, or the name of a plugin of the pack
    #[arg(long, value_name = "PLUGIN", conflicts_with = "config")]
    plugin: Option<String>,
    /// A whole configuration instead of one plugin; without FILE the examples of its rules are tried
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Machine-readable
    #[arg(long)]
    json: bool,
}

/// What came of one file.
struct Tested {
    file: String,
    subject: String,
    cases: usize,
    differing: Vec<Differing>,
}

/// 0: all as expected; 1: something differs. What cannot be tried is an error.
pub(crate) fn run(args: &Test) -> Result<ExitCode> {
    let runner = Runner::new()?;
    let mut tested = Vec::new();
    match (&args.config, &args.files[..]) {
        (Some(config), []) => {
            for (subject, cases) in examples::of_configuration(config)? {
                tested.push(tried(&runner, config, &subject, &cases)?);
            }
            if tested.is_empty() {
                bail!(
                    "{}: no rule of it has `examples`, and no cases are named\nhint: hookbox test --config {} CASES.toml",
                    config.display(),
                    config.display()
                );
            }
        }
        (_, []) => tested.push(one(&runner, Path::new("."), args)?),
        (_, files) => {
            for file in files {
                tested.push(one(&runner, file, args)?);
            }
        }
    }
    let wrong = tested.iter().any(|tested| !tested.differing.is_empty());
    if args.json {
        println!("{}", as_json(&tested));
    } else {
        tested.iter().for_each(print);
    }
    Ok(ExitCode::from(u8::from(wrong)))
}

fn one(runner: &Runner, path: &Path, args: &Test) -> Result<Tested> {
    let file = if path.is_dir() {
        path.join("cases.toml")
    } else {
        path.to_path_buf()
    };
    let text = fs::read_to_string(&file).with_context(|| {
        format!(
            "{} cannot be read\nhint: name a file of cases, or the folder of a plugin",
            file.display()
        )
    })?;
    if let Some(rules) = examples::rules(&text) {
        let (subject, cases) = examples::of_rules(rules).with_context(|| file.display().to_string())?;
        return tried(runner, &file, &subject, &cases);
    }
    let cases = Cases::parse(&text).with_context(|| file.display().to_string())?;
    let subject = match &args.config {
        Some(config) => Subject::configuration(config, &cases)?,
        None => Subject::find(&file, args.plugin.as_deref(), &cases)?,
    };
    tried(runner, &file, &subject, &cases)
}

fn tried(runner: &Runner, file: &Path, subject: &Subject, cases: &Cases) -> Result<Tested> {
    Ok(Tested {
        file: file.display().to_string(),
        subject: subject.name().to_owned(),
        cases: cases.cases.len(),
        differing: runner.run(subject, cases).with_context(|| file.display().to_string())?,
    })
}

fn print(tested: &Tested) {
    let Tested {
        file,
        subject,
        cases,
        differing,
    } = tested;
    for Differing {
        case,
        at,
        shown,
        difference,
    } in differing
    {
        let when = at.map_or_else(String::new, |at| format!(" at {at} s"));
        println!(
            "{}",
            printable(&format!("{file}: case {case}{when}: {shown}\n    {difference}"))
        );
    }
    let wrong: std::collections::BTreeSet<_> = differing.iter().map(|differing| differing.case).collect();
    match cases - wrong.len() {
        right if right == *cases => println!("{subject}: {cases} cases, all as expected"),
        right => println!("{subject}: {right} of {cases} cases as expected"),
    }
}

fn as_json(tested: &[Tested]) -> Value {
    let file = |tested: &Tested| {
        let differing = |one: &Differing| json!({ "case": one.case, "at": one.at, "shown": one.shown, "difference": one.difference });
        json!({
            "file": tested.file, "subject": tested.subject, "cases": tested.cases,
            "differing": tested.differing.iter().map(differing).collect::<Vec<_>>(),
        })
    };
    json!({ "tested": tested.iter().map(file).collect::<Vec<_>>() })
}

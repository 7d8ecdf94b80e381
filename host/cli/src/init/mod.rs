//! `hookbox init`: puts hookbox's hook into an agent's own configuration, and takes it out again.
//!
//! What is there is never replaced: entries are merged in, `--remove` takes exactly them out, and a file that cannot be written back as it is (one
//! with comments) is left alone and said so. Which file and which shape: `places`; what goes in: `entry`; how: `edit`.

mod change;
mod codex;
mod coverage;
mod edit;
mod entry;
pub(crate) mod installed;
mod places;
mod script;
mod watch;

use crate::run::Call;
use anyhow::{Context, Result, bail};
use change::{Change, Mode, Receipts};
use clap::Args;
pub(crate) use entry::patience;
use entry::{Covered, Hook, TIMEOUT};
use hookbox::Options;
use places::{Machine, PLACES, Place, Scope, Shape};
use std::env;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args, Debug)]
pub(crate) struct Init {
    /// The agent to set up; without it, those that are found on this machine
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// For every project of this user (the default)
    #[arg(long, conflicts_with = "project")]
    user: bool,
    /// For this project, in its folder
    #[arg(long)]
    project: bool,
    /// Take out what an earlier init put in
    #[arg(long)]
    remove: bool,
    /// Show what would change, change nothing
    #[arg(long)]
    dry_run: bool,
    /// The entry calls hookbox with this configuration file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

pub(crate) fn run(args: &Init) -> Result<ExitCode> {
    let options = Options::from_environment();
    let home = options
        .home
        .clone()
        .context("there is no home directory\nhint: set HOME")?;
    let machine = Machine {
        home,
        project: env::current_dir()?,
        variable,
    };
    let scope = if args.project { Scope::Project } else { Scope::User };
    let places = match &args.agent {
        Some(name) => vec![places::find(name).with_context(|| {
            let names: Vec<&str> = PLACES.iter().map(|place| place.agent).collect();
            format!("no agent is called `{name}`\nhint: one of {}", names.join(", "))
        })?],
        None => choose(args, scope, &machine)?,
    };
    if places.is_empty() {
        println!("no agent was chosen, so nothing is changed");
        return Ok(ExitCode::SUCCESS);
    }
    let receipts = options.state.as_deref().map(Receipts::new);
    let mut changes = Vec::new();
    if args.remove {
        for place in &places {
            changes.extend(removal(place, scope, &machine, receipts.as_ref())?);
        }
    } else {
        let config = args.config.as_deref().map(std::path::absolute).transpose()?;
        let call = Call {
            agent: "claude-code".into(),
            config: config.clone(),
        };
        let engine = call.engine();
        let covered = coverage::of(&engine.layers(&machine.project.to_string_lossy()));
        if covered.is_empty() {
            bail!(
                "no handler is configured, so there is nothing to call hookbox for\nhint: `hookbox check` shows the configuration"
            );
        }
        if config.is_none() {
            changes.extend(starting_configuration(&options, scope, &machine)?);
        }
        let config = config.as_deref().map(Path::to_string_lossy);
        let program = program(scope)?;
        for place in &places {
            let call = entry::call(&program, place.agent, config.as_deref());
            changes.extend(addition(place, scope, &machine, &covered, &call)?);
        }
    }
    let left = if args.remove {
        left_behind(&places, &changes)
    } else {
        Vec::new()
    };
    changes.retain(|change| !change.is_none());
    if changes.is_empty() {
        left.iter().for_each(|left| println!("{left}"));
        if left.is_empty() {
            println!(
                "{}",
                if args.remove {
                    "nothing of hookbox is there"
                } else {
                    "everything is there already"
                }
            );
        }
        return Ok(ExitCode::SUCCESS);
    }
    for change in &changes {
        print!("{}", change.shown());
        if args.dry_run {
            continue;
        }
        match &receipts {
            Some(receipts) if args.remove => receipts.forget(&change.path),
            Some(receipts) if !change.reversible => receipts.keep(change)?,
            _ => {}
        }
        change.make()?;
    }
    left.iter().for_each(|left| println!("{left}"));
    if !args.dry_run && !args.remove {
        prepare(args, &machine.project);
        for place in &places {
            println!("{}", advice(place, scope));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prepares the plugins, so that the first event need not wait for them. What is wrong with one blocks, so it is told here.
fn prepare(args: &Init, project: &Path) {
    let config = args.config.as_deref().and_then(|file| std::path::absolute(file).ok());
    let engine = Call {
        agent: "claude-code".into(),
        config,
    }
    .engine();
    for (handler, ready) in engine.prepare(&project.to_string_lossy()) {
        if let Err(why) = ready {
            println!("warning: {handler}: {why}");
        }
    }
}

fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Asks for each agent that is here; without a terminal nobody can answer, so they are only named.
fn choose(args: &Init, scope: Scope, machine: &Machine) -> Result<Vec<&'static Place>> {
    let here: Vec<&'static Place> = PLACES.iter().filter(|place| place.is_here(machine)).collect();
    if here.is_empty() {
        bail!("no agent that hookbox knows is on this machine\nhint: name one with --agent");
    }
    if args.remove || args.dry_run {
        return Ok(here);
    }
    if !io::stdin().is_terminal() {
        let names: Vec<&str> = here.iter().map(|place| place.agent).collect();
        bail!("found {}\nhint: name one with --agent", names.join(", "));
    }
    let mut chosen = Vec::new();
    for place in here {
        print!(
            "set up {} ({})? [y/N] ",
            place.agent,
            place.path(scope, machine).display()
        );
        io::stdout().flush()?;
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        if answer.trim().eq_ignore_ascii_case("y") {
            chosen.push(place);
        }
    }
    Ok(chosen)
}

/// A configuration to begin with, where there is none: what runs without one, and every failure blocks.
fn starting_configuration(options: &Options, scope: Scope, machine: &Machine) -> Result<Option<Change>> {
    let path = match scope {
        Scope::Project => machine.project.join(".hookbox/hooks.json"),
        Scope::User => match &options.user {
            Some(user) => user.join("hooks.json"),
            None => return Ok(None),
        },
    };
    if change::read(&path)?.is_some() {
        return Ok(None);
    }
    let mut config: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(hookbox::DEFAULT_CONFIG).context("the embedded default cannot be read")?;
    config.entry("onFailure").or_insert_with(|| "block".into());
    let text = serde_json::to_string_pretty(&config)? + "\n";
    Ok(Some(Change {
        path,
        before: None,
        after: Some(text),
        mode: Mode::Usual,
        reversible: true,
    }))
}

/// The program that an entry calls: this one for a user; by its name for everyone who works in a project.
fn program(scope: Scope) -> Result<String> {
    match scope {
        Scope::Project => Ok("hookbox".into()),
        Scope::User => Ok(env::current_exe()
            .context("the path of this program cannot be read")?
            .to_string_lossy()
            .into_owned()),
    }
}

/// What `init` changes for one agent.
fn addition(place: &Place, scope: Scope, machine: &Machine, covered: &[Covered], call: &str) -> Result<Vec<Change>> {
    let hooks = entry::hooks(place, covered);
    if hooks.is_empty() {
        let events: Vec<&str> = covered.iter().map(|covered| covered.event.as_str()).collect();
        bail!(
            "{} has none of the events that the configuration has handlers for: {}",
            place.agent,
            events.join(", ")
        );
    }
    let path = place.path(scope, machine);
    match place.shape {
        Shape::Executables => executables(place, &path, &hooks, call),
        Shape::Plugin => Ok(vec![own_file(path, plugin(&hooks, call))?]),
        _ => {
            let before = change::read(&path)?;
            let text = before.as_deref().unwrap_or_default();
            let after =
                edit::put(place, text, &hooks, call).map_err(|error| refused(&path, &error, &hooks, place, call))?;
            let trust = (place.agent == "codex")
                .then(|| codex_trust(place, machine, &path, &after, &hooks, call))
                .transpose()?;
            let without = |text: &str| edit::remove(place, text).ok().flatten();
            let reversible = before.as_deref().and_then(without) == without(&after);
            let mut changes = vec![Change {
                path,
                before,
                after: Some(after),
                mode: Mode::Usual,
                reversible,
            }];
            changes.extend(trust);
            Ok(changes)
        }
    }
}

/// What to do by hand where the file is not edited.
fn refused(path: &Path, error: &edit::EditError, hooks: &[Hook], place: &Place, call: &str) -> anyhow::Error {
    let wanted = edit::put(place, "", hooks, call).unwrap_or_default();
    anyhow::anyhow!("{} {error}\nhint: put this into it yourself:\n{wanted}", path.display())
}

fn codex_trust(
    place: &Place,
    machine: &Machine,
    file: &Path,
    text: &str,
    hooks: &[Hook],
    call: &str,
) -> Result<Change> {
    // Trust is the user's, also for a project's hooks.
    let path = place.under_folder(".codex/config.toml", machine);
    let before = change::read(&path)?;
    let commands: Vec<String> = hooks.iter().map(|hook| hook.command(place, call)).collect();
    let trusted: Vec<codex::Trusted<'_>> = hooks
        .iter()
        .zip(&commands)
        .filter_map(|(hook, command)| {
            Some(codex::Trusted {
                event: &hook.event,
                matcher: hook.matcher.as_deref(),
                command,
                timeout: entry::timeout(place.agent),
                group: edit::position(place, text, &hook.event)?,
            })
        })
        .collect();
    let after = codex::put(before.as_deref().unwrap_or_default(), &file.to_string_lossy(), &trusted);
    // Codex does not start with a file that it cannot read: a trust of its own, or `hooks` on one line, cannot stand beside ours.
    if let Err(error) = hookbox_cases::table(&after) {
        bail!(
            "{} would not be TOML with the trust of the hooks in it: {error}\nhint: take what it says about `hooks.state` out, or mend the file",
            path.display()
        );
    }
    Ok(Change {
        path,
        before,
        after: Some(after),
        mode: Mode::Usual,
        reversible: true,
    })
}

/// What a file says that `init` made and that is not JSON.
const SIGNATURE: &str = "hookbox init";

/// A file that is hookbox's alone; one of somebody else is not overwritten.
fn own_file(path: PathBuf, text: String) -> Result<Change> {
    let before = change::read(&path)?;
    if before.as_ref().is_some_and(|before| !before.contains(SIGNATURE)) {
        bail!(
            "{} is there already and is not of hookbox\nhint: call `hookbox run` from it, or move it",
            path.display()
        );
    }
    Ok(Change {
        path,
        before,
        after: Some(text),
        mode: Mode::Usual,
        reversible: true,
    })
}

fn plugin(hooks: &[Hook], call: &str) -> String {
    let events: Vec<&str> = hooks.iter().map(|hook| hook.event.as_str()).collect();
    include_str!("opencode.js")
        .replace(
            "__COMMAND__",
            &serde_json::json!(format!("{call}{}", entry::BLOCKS)).to_string(),
        )
        .replace("__EVENTS__", &serde_json::json!(events).to_string())
        .replace("__TIMEOUT_MS__", &(TIMEOUT * 1000).to_string())
}

fn executables(place: &Place, folder: &Path, hooks: &[Hook], call: &str) -> Result<Vec<Change>> {
    let change = |hook: &Hook| {
        let path = folder.join(&hook.event);
        let command = hook.command(place, call);
        let change = own_file(path, script::new(&command))?;
        let after = match &change.before {
            Some(before) => script::put(place, before, &command),
            None => script::new(&command),
        };
        Ok(Change {
            mode: Mode::Executable,
            after: Some(after),
            ..change
        })
    };
    hooks.iter().map(change).collect()
}

/// Commands that call hookbox after `--remove`: somebody changed them since, so they are not taken out without being asked.
fn left_behind(places: &[&Place], changes: &[Change]) -> Vec<String> {
    let calls =
        |text: &str, place: &Place| text.contains("hookbox") && text.contains(&format!(" run --agent {}", place.agent));
    let mut left = Vec::new();
    for change in changes {
        let text = change.after.as_deref().unwrap_or_default();
        if places.iter().any(|place| calls(text, place)) {
            let path = change.path.display();
            left.push(format!("warning: {path} still has a command that calls hookbox and is not what `hookbox init` wrote\nhint: take it out yourself"));
        }
    }
    left
}

/// What `init --remove` changes for one agent.
fn removal(place: &Place, scope: Scope, machine: &Machine, receipts: Option<&Receipts>) -> Result<Vec<Change>> {
    let path = place.path(scope, machine);
    let mut changes = Vec::new();
    let mut remove = |path: PathBuf, taken_out: &dyn Fn(&str) -> Result<Option<String>>| -> Result<()> {
        if let Some(before) = change::read(&path)? {
            let original = receipts.and_then(|receipts| receipts.original(&path, Some(&before)));
            let after = match original {
                Some(original) => original,
                None => taken_out(&before)?,
            };
            changes.push(Change {
                path,
                before: Some(before),
                after,
                mode: Mode::Usual,
                reversible: true,
            });
        }
        Ok(())
    };
    let if_signed = |text: &str| Ok(Some(text.to_owned()).filter(|text| !text.contains(SIGNATURE)));
    match place.shape {
        Shape::Executables => {
            for hook in hookbox::protocol::dialects::events(place.agent) {
                remove(path.join(hook), &|text| Ok(script::remove(place, text)))?;
            }
        }
        Shape::Plugin => remove(path, &if_signed)?,
        _ => {
            let file = path.clone();
            remove(path, &move |text| {
                let refused = |error| {
                    anyhow::anyhow!(
                        "{} {error}\nhint: take the entries with `hookbox run` out yourself",
                        file.display()
                    )
                };
                edit::remove(place, text).map_err(refused)
            })?;
        }
    }
    if place.agent == "codex" {
        let config = place.under_folder(".codex/config.toml", machine);
        remove(config, &|text| {
            Ok(Some(codex::remove(text)).filter(|text| !text.is_empty()))
        })?;
    }
    Ok(changes)
}

/// What the user still has to know.
fn advice(place: &Place, scope: Scope) -> String {
    let more = match (place.agent, scope) {
        ("codex", Scope::Project) => "; Codex runs it in a trusted project",
        ("copilot", Scope::Project) => "; `copilot -p` runs it only with GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true",
        ("gemini" | "qwen", Scope::Project) => "; it runs in a trusted folder",
        ("opencode", _) => "; OpenCode loads it when it starts",
        _ => "",
    };
    format!(
        "{} is set up{more}; undo with `hookbox init --agent {} --remove`",
        place.agent, place.agent
    )
}

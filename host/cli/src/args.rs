//! The command line.

use crate::init::Init;
use crate::run::Call;
use crate::serve::Serve;
use crate::test::Test;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Coding agents' hooks as sandboxed WebAssembly components.
#[derive(Parser)]
#[command(name = "hookbox", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Set an agent up: its hook entry and a starting hooks.json
    Init(Init),
    /// Answer one event: JSON on stdin, the agent's protocol on stdout (what the agent calls)
    Run(Call),
    /// The same event, told: which handlers matched and why, each answer, its cost, the merge
    Explain(Explain),
    /// Configuration, plugins and grants: what is wrong and how to mend it
    Check(Check),
    /// Cases through a plugin or a configuration: what does not come out as expected
    Test(Test),
    /// The same engine, resident: HTTP hooks on loopback, and a Unix socket
    Serve(Serve),
    /// JSON lines in, JSON lines out: codec, matcher, if, merge, shell analysis
    Protocol,
}

#[derive(Args)]
pub(crate) struct Explain {
    #[command(flatten)]
    pub(crate) call: Call,
    /// Machine-readable
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct Check {
    /// This file instead of the user, project and local layers
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Machine-readable
    #[arg(long)]
    pub(crate) json: bool,
}

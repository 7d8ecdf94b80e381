//! The program `hookbox`: reads its arguments, runs one verb, maps what came of it to an exit code.
//!
//! Exit codes: 0 fine, 1 found something, 2 blocked or could not do it. `run` exits only with 0 or 2.

mod args;
mod check;
mod explain;
mod init;
mod last_word;
mod protocol;
mod run;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod start;
mod test;

use args::{Cli, Verb};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    // The path of every event goes first, and without the work of building a command line's grammar.
    if let Some(call) = run::Call::from_arguments(&arguments) {
        return run::run(&call);
    }
    if arguments
        .get(1)
        .is_some_and(|verb| verb == hookbox::sandbox::child::ARGUMENT)
    {
        return hookbox::sandbox::child::main();
    }
    let result = match Cli::parse_from(arguments).verb {
        Verb::Run(call) => return run::run(&call),
        Verb::Explain(args) => explain::run(&args),
        Verb::Check(args) => check::run(&args),
        Verb::Init(args) => init::run(&args),
        Verb::Test(args) => test::run(&args),
        Verb::Protocol => protocol::run(),
    };
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}

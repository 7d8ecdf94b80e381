//! The program `hookbox`: reads its arguments, runs one verb, maps what came of it to an exit code.
//!
//! Exit codes: 0 fine, 1 found something, 2 blocked or could not do it. `run` exits only with 0 or 2.

#![cfg_attr(not(test), no_main)]

mod arena;
mod args;
mod check;
mod explain;
mod init;
mod last_word;
mod os;
mod protocol;
mod run;
mod serve;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod start;
mod test;

use args::{Cli, Verb};
use clap::Parser;
use std::process::ExitCode;

/// Runs the verb that the arguments name; gives the exit code.
#[cfg_attr(test, allow(dead_code))]
fn run_verb() -> u8 {
    let arguments: Vec<_> = std::env::args_os().collect();
    // The path of every event goes first, and without the work of building a command line's grammar.
    if let Some(call) = run::Call::from_arguments(&arguments) {
        return run::run(&call);
    }
    if arguments
        .get(1)
        .is_some_and(|verb| verb == hookbox::sandbox::child::ARGUMENT)
    {
        return code(hookbox::sandbox::child::main());
    }
    let result = match Cli::parse_from(arguments).verb {
        Verb::Run(call) => return run::run(&call),
        Verb::Explain(args) => explain::run(&args),
        Verb::Check(args) => check::run(&args),
        Verb::Init(args) => init::run(&args),
        Verb::Test(args) => test::run(&args),
        Verb::Serve(args) => serve::run(args),
        Verb::Protocol => protocol::run(),
    };
    result.map_or_else(
        |error| {
            eprintln!("error: {error:#}");
            2
        },
        code,
    )
}

/// The number of an exit code, which the standard library keeps to itself.
fn code(code: ExitCode) -> u8 {
    [0, 1]
        .into_iter()
        .find(|known| ExitCode::from(*known) == code)
        .unwrap_or(2)
}

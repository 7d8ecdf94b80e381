//! The commands that people and CI run: `cargo xtask VERB`.

mod accuracy;
mod agents;
mod bench;
mod callgrind;
mod conformance;
mod fuzz;
mod generate;
mod optimize;
mod plugins;
mod supply;
mod test;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask VERB

  accuracy FILE…       labelled commands through the real components: what is stopped, by rule, and what differs
  test                 build the guests, run every test
  check                formatting, clippy, generated files
  agents [CLIENTS]     the real clients against a fake model, each through `hookbox init`: the table (--docs keeps it)
  bench [RUNS]         whole processes side by side: medians, ratios, budgets
  conformance FOLDER   a folder of protocol cases: what differs, by kind
  fuzz [SECONDS]       every fuzz target for a while (nightly, cargo-fuzz)
  hostile              hostile plugins, and every fault on every event: the two tables
  generate [--check]   the generated parts of the documents (--check: compare instead)
  instructions [--dev] what events cost in instructions (valgrind) (--check: at most 5 % more than written down)
  order                the functions that events need, for the linker (valgrind)
  plugins [--check]    build the policy pack into plugins/dist (--check: compare instead)
  supply               licences, sources and duplicates of dependencies; where unsafe code stands
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (verb, rest) = args
        .split_first()
        .map_or(("", &[][..]), |(verb, rest)| (verb.as_str(), rest));
    let result = match verb {
        "test" => test::test(rest),
        "check" => test::check(),
        "bench" => bench::run(rest),
        "agents" => agents::run(rest),
        "conformance" => conformance::run(rest),
        "fuzz" => fuzz::run(rest),
        "hostile" => test::hostile(),
        "generate" => generate::run(rest),
        "accuracy" => accuracy::run(rest),
        "plugins" => plugins::run(rest),
        "instructions" => callgrind::instructions(rest),
        "order" => callgrind::order(),
        "supply" => supply::run(),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

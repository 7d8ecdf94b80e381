//! The plugin's own cases, natively.

use guard_commands::GuardCommands;
use hookbox_sdk::test::run_cases;

#[test]
fn every_case_comes_out_as_written() {
    run_cases::<GuardCommands>(include_str!("../cases.toml"));
}

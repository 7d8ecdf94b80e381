//! The plugin's own cases, natively.

use guard_git::GuardGit;
use hookbox_sdk::test::run_cases;

#[test]
fn every_case_comes_out_as_written() {
    run_cases::<GuardGit>(include_str!("../cases.toml"));
}

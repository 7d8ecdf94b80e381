//! What the plugins of the policy pack share: where a path leads ([`path`]) and how it is spelled ([`spell`]), how a command
//! line's words match a table of rules ([`pattern`], [`rules`]), which files a command touches ([`touch`]), what the levels
//! make of a finding ([`finding`]), the allow list ([`allow`]) git's own command line
//! ([`git`]), and PowerShell in a bash tool ([`powershell`]).

pub mod allow;
pub mod finding;
pub mod git;
pub mod glob;
pub mod path;
pub mod pattern;
pub mod powershell;
pub mod programs;
pub mod rules;
pub mod spell;
pub mod touch;
pub mod words;

pub use allow::AllowList;
pub use finding::{Finding, Level, Severity, verdict};
pub use path::{Place, Places};
pub use rules::{Rule, Rules, rule};

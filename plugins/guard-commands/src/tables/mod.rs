//! The tables: one file per family, one row per rule. See [`hookbox_pack::pattern`] for the patterns.

mod clouds;
mod clusters;
mod containers;
mod databases;
mod infrastructure;
mod packages;
mod services;
mod system;

use hookbox_pack::Rule;

pub(crate) const ALL: [&[Rule]; 8] = [
    clouds::RULES,
    clusters::RULES,
    containers::RULES,
    databases::RULES,
    infrastructure::RULES,
    packages::RULES,
    services::RULES,
    system::RULES,
];

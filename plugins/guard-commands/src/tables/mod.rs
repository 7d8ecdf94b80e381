//! The tables: one file per family, one row per rule. See [`hookbox_pack::pattern`] for the patterns.

mod system;

use hookbox_pack::Rule;

pub(crate) const ALL: [&[Rule]; 1] = [system::RULES];

//! The program as an agent calls it: real processes, real components, a real home.

#![allow(clippy::unwrap_used)]

mod bad_input;
mod cases;
mod dialects;
mod entries;
mod events;
mod explain;
mod home;
mod merge;
mod newer;
mod processes;
mod prompts_and_turns;
mod serve;
mod settings_file;
mod surroundings;

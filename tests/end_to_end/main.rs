//! The program as an agent calls it: real processes, real components, a real home.

mod bad_input;
mod events;
mod explain;
mod home;
mod merge;
mod processes;

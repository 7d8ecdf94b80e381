//! `hookbox protocol`: JSON lines in, JSON lines out, so that any language can test against the codec.

use anyhow::Result;
use serde_json::{Value, json};
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

pub(crate) fn run() -> Result<ExitCode> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = match serde_json::from_str::<Value>(&line) {
            Ok(request) => hookbox::protocol::protocol_op::answer(&request),
            Err(error) => json!({ "error": format!("the request is not JSON: {error}") }),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}

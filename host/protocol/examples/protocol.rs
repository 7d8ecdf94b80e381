//! JSON lines in, JSON lines out: `hookbox protocol` without the rest of the program, for measuring.

use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let answer = match serde_json::from_str(&line?) {
            Ok(request) => hookbox_protocol::protocol_op::answer(&request),
            Err(error) => serde_json::json!({ "error": error.to_string() }),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

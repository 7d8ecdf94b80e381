//! A plain program: reads the event from stdin and does what the command in it says. Compiled for both previews of WASI.

use std::io::{Read, Write};
use std::process::exit;
use std::time::{Duration, Instant, SystemTime};
use std::{env, fs, thread};

fn answer(decision: &str, reason: &str) {
    println!(
        r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"{decision}","permissionDecisionReason":"{reason}"}}}}"#
    );
}

/// Recursion that no compiler turns into a loop.
fn deeper(depth: u64) -> u64 {
    let here = [depth; 64];
    if std::hint::black_box(depth) == u64::MAX { 0 } else { deeper(depth + 1) + std::hint::black_box(here)[7] }
}

fn read(path: &str) -> String {
    match fs::read_to_string(path) {
        Ok(text) => format!("read {text}"),
        Err(error) => format!("not read: {:?}", error.kind()),
    }
}

fn main() {
    let mut event = String::new();
    std::io::stdin().read_to_string(&mut event).expect("the event");
    let command = event.split(r#""command":""#).nth(1).and_then(|rest| rest.split('"').next()).expect("a command");
    let (verb, rest) = command.split_once(' ').unwrap_or((command, ""));
    match verb {
        "nothing" => {}
        "exit" => {
            eprintln!("ends with {rest}");
            exit(rest.parse().expect("a code"));
        }
        "exit-with-allow" => {
            answer("allow", "all is well");
            exit(rest.parse().expect("a code"));
        }
        "deny" | "allow" => answer(verb, "\\u001b[2Jas told"),
        "panic" => panic!("as told"),
        "abort" => std::process::abort(),
        "loop" => loop {
            std::hint::black_box(());
        },
        "recurse" => drop(deeper(0)),
        "grow" => {
            let mut all = Vec::new();
            loop {
                all.push(vec![1_u8; 1 << 20]);
            }
        }
        "sleep" => thread::sleep(Duration::from_secs(1 << 40)),
        "look" => loop {
            std::hint::black_box(Instant::now());
        },
        "print" => loop {
            println!("{rest}");
        },
        "print-deaf" => loop {
            let _ = writeln!(std::io::stdout(), "{rest}");
        },
        "complain" => loop {
            eprintln!("{rest}");
        },
        "complain-once" => {
            let _ = std::io::stderr().write_all(&vec![b'x'; 2 << 20]);
            exit(0)
        }
        "arguments" => answer("deny", &env::args().collect::<Vec<_>>().join(",")),
        "variables" => {
            let mut all: Vec<_> = env::vars().map(|(name, value)| format!("{name}={}", value.replace('"', "'"))).collect();
            all.sort();
            answer("deny", &all.join(","));
        }
        "time" => {
            let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970");
            answer("deny", &format!("{} ms", since.as_millis()));
        }
        "wait" => {
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_millis(100) {}
            answer("deny", "waited");
        }
        "chance" => {
            use std::hash::{BuildHasher, RandomState};
            answer("deny", &RandomState::new().hash_one(7).to_string());
        }
        "read" => answer("deny", &read(rest)),
        "list" => {
            let mut names: Vec<_> = match fs::read_dir(rest) {
                Ok(entries) => entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text")).collect(),
                Err(error) => vec![format!("not listed: {:?}", error.kind())],
            };
            names.sort();
            answer("deny", &names.join(","));
        }
        "write" => {
            let tried = [
                fs::write(rest, "written").is_ok(),
                fs::write(format!("{rest}.new"), "written").is_ok(),
                fs::OpenOptions::new().append(true).open(rest).is_ok(),
                fs::remove_file(rest).is_ok(),
                fs::rename(rest, format!("{rest}.moved")).is_ok(),
                fs::hard_link(rest, format!("{rest}.linked")).is_ok(),
                fs::create_dir(format!("{rest}.folder")).is_ok(),
            ];
            answer("deny", &format!("{tried:?}"));
        }
        "background" => {
            println!("{{\"async\":true}}");
            exit(rest.parse().expect("a code"));
        }
        "size" => answer("deny", &event.len().to_string()),
        other => panic!("does not know {other}"),
    }
}

//! Hostile plugins under a real `hookbox run`. See README.md for what each tries.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod large;
mod values;

use hookbox_tests::guest::Guest;
use hookbox_tests::{Place, Ran, page};
use serde_json::json;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// KiB that no process of a run, compiling included, may have had in memory. A guest may use 64 MiB; the rest is the compiler.
const MOST_MEMORY: u64 = 1 << 20;

const GOOD: &str = ";; tries: -\n;; class: -\n;; ends: -\n;; says: -\n
    (func $handle (param $event i32) (result i32) (call $deny (i32.const 1024) (i32.const 10)))
    (data (i32.const 1024) \"still here\")";

/// Every guest of the folder, in the order of names, and those that are too large to be written by hand.
fn guests() -> Vec<Guest> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("hostile/guests");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("guests")
        .map(|file| file.expect("a file").path())
        .collect();
    files.sort();
    let read = |path: &PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        Guest::read(&name, &fs::read_to_string(path).expect("a guest"))
    };
    let mut guests: Vec<Guest> = files.iter().map(read).collect();
    guests.extend(large::guests());
    guests
}

/// A project with a folder that is granted and ways out of it.
pub(crate) fn place() -> Place {
    let place = Place::new();
    place.write("project/secret.txt", "SECRET");
    place.write("project/granted-not/secret.txt", "SECRET");
    place.write("project/granted/inside.txt", "inside");
    for (target, link) in [("../secret.txt", "link"), ("..", "up"), ("/etc/passwd", "passwd")] {
        std::os::unix::fs::symlink(target, place.project().join("granted").join(link)).expect("a symlink");
    }
    let fifo = place.project().join("granted/fifo");
    let made = std::process::Command::new("mkfifo").arg(fifo).status();
    assert!(made.expect("mkfifo").success());
    place.write("good.wasm", Guest::read("good", GOOD).wasm);
    place
}

/// Runs the guest and, after it, the well-behaved plugin, on one event.
fn run(place: &Place, guest: &Guest) -> Ran {
    let file = place.write(&format!("{}.wasm", guest.name), &guest.wasm);
    // Fuel decides; the clock would on a loaded machine, so it is far away where the guest is not about it.
    let timeout = guest.timeout.unwrap_or(120.0);
    let handler = json!({ "type": "wasm", "plugin": "hostile", "timeout": timeout });
    let good = json!({ "type": "wasm", "plugin": "good", "timeout": 120 });
    let config = json!({
        "hooks": { "PreToolUse": [{ "hooks": [handler, good] }] },
        "plugins": {
            "hostile": { "source": file, "grants": guest.grants, "limits": guest.limits },
            "good": { "source": place.path("good.wasm") },
        },
    });
    let config = place.write(&format!("{}.json", guest.name), config.to_string());
    let mut command = place.command(&["run", "--config"]);
    command.arg(config);
    // An event of some size: what is handed over costs something.
    let event = place.tool_event("PreToolUse", &"echo hello; ".repeat(20_000));
    place.end(command, event.to_string().as_bytes())
}

/// What of the promises a run broke.
fn broken(guest: &Guest, ran: &Ran) -> Vec<String> {
    let (hostile, good) = (ran.result(0), ran.result(1));
    let mut broken = Vec::new();
    let mut must = |kept: bool, what: String| {
        if !kept {
            broken.push(what);
        }
    };
    must(
        ran.code == Some(2),
        format!("not blocked: exit {:?}, signal {:?}", ran.code, ran.signal),
    );
    let failure = &hostile["failure"];
    let said = if guest.ends == "answers" {
        must(
            failure.is_null() && hostile["decision"] == "deny",
            format!("did not answer: {hostile}"),
        );
        hostile["reason"].to_string()
    } else {
        must(
            failure["kind"] == guest.ends || (guest.ends == "any" && !failure.is_null()),
            format!("ended otherwise: {failure}"),
        );
        must(hostile["decision"] == "deny", "its failure did not block".into());
        failure["message"].to_string()
    };
    let unquoted = said.replace("\\\"", "\"").replace("\\n", "\n");
    must(unquoted.contains(&guest.says), format!("said: {said}"));
    if let Some(line) = &guest.log {
        must(
            hostile["log"].to_string().contains(line),
            "its log lacks the line".into(),
        );
    }
    must(
        good["decision"] == "deny" && good["reason"] == "good: still here" && good["failure"].is_null(),
        format!("the next plugin was affected: {good}"),
    );
    must(
        ran.stderr.contains("good: still here"),
        "the next plugin was not heard".into(),
    );
    let unprintable = |c: char| (c.is_control() && !matches!(c, '\n' | '\t')) || ('\u{202a}'..='\u{202e}').contains(&c);
    must(
        !ran.stderr.contains(unprintable),
        format!("stderr would move a terminal: {:?}", ran.stderr),
    );
    must(ran.stderr.len() < 256 << 10, "stderr is huge".into());
    broken
}

#[test]
fn every_hostile_guest_is_contained() {
    let only = std::env::var("GUEST").unwrap_or_default();
    let place = place();
    let all = guests();
    let chosen: Vec<&Guest> = all.iter().filter(|guest| guest.name.contains(&only)).collect();
    let (next, failed, most) = (AtomicUsize::new(0), Mutex::new(Vec::new()), AtomicU64::new(0));
    let work = || {
        while let Some(guest) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
            let ran = run(&place, guest);
            let broken = broken(guest, &ran);
            most.fetch_max(ran.peak, Ordering::Relaxed);
            println!(
                "{:8} {}: {}",
                if broken.is_empty() { "ok" } else { "BROKEN" },
                guest.name,
                guest.tries
            );
            if !broken.is_empty() {
                failed
                    .lock()
                    .unwrap()
                    .push(format!("{}: {}", guest.name, broken.join("\n    ")));
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    let most = most.into_inner();
    println!(
        "{} guests; the largest process had {} MiB in memory",
        chosen.len(),
        most >> 10
    );
    let failed = failed.into_inner().unwrap();
    assert!(
        failed.is_empty(),
        "{} of {}:\n{}",
        failed.len(),
        chosen.len(),
        failed.join("\n")
    );
    assert!(most < MOST_MEMORY, "a process had {most} KiB in memory");
    if only.is_empty() {
        let table = table(&chosen);
        println!("{table}");
        page("hostile.md", &table);
    }
}

#[test]
fn a_name_that_is_exchanged_between_check_and_use_gives_nothing() {
    let place = place();
    let guest = Guest::read(
        "file-exchanged",
        r#"
;; tries: reading a name that is now a file of its folder and now a link out of it
;; class: files
;; ends: answers
;; says: hello
;; grants: {"read": ["${project}/granted"]}
;; limits: {"fuel": 1000000000}
;; timeout: 60
(import "hookbox:hook/files@0.1.0" "read" (func $read (param i32 i32 i64 i32)))
(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
  (global.set $free (i32.and (i32.add (global.get $free) (i32.const 64)) (i32.const 0x1ffff)))
  (i32.add (i32.const 131072) (global.get $free)))
(global $free (mut i32) (i32.const 0))
(memory (export "memory") 8)
(func $handle (param $event i32) (result i32)
  (local $times i32)
  (loop $again
    (if (call $reads (local.get $event) (i32.const 1024) (i32.const 13))
      (then (if (i32.eq (i32.load8_u (i32.load (i32.const 516))) (i32.const 83)) (then (return (call $allow))))))
    (local.set $times (i32.add (local.get $times) (i32.const 1)))
    (br_if $again (i32.lt_u (local.get $times) (i32.const 5000))))
  (call $deny (i32.const 32) (i32.const 5)))
(data (i32.const 1024) "/granted/swap")"#,
    );
    let granted = place.project().join("granted");
    let over = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                fs::write(granted.join("next"), "inside").unwrap();
                fs::rename(granted.join("next"), granted.join("swap")).unwrap();
                std::os::unix::fs::symlink("../secret.txt", granted.join("next")).unwrap();
                fs::rename(granted.join("next"), granted.join("swap")).unwrap();
            }
        });
        let ran = run(&place, &guest);
        over.store(true, Ordering::Relaxed);
        let broken = broken(&guest, &ran);
        assert!(broken.is_empty(), "{broken:?}\n{ran:?}");
    });
}

/// The page of the docs: class × contained.
fn table(guests: &[&Guest]) -> String {
    let mut text = String::from(
        "# What hostile plugins try\n\nGenerated by the run of `tests/hostile` (`cargo xtask generate`). Each guest ran under `hookbox run` \
         before a well-behaved\nplugin in the same event; contained means: the call was blocked, with this message, in bounded memory, and \
         the other\nplugin answered as ever.\n\n| class | guests | contained |\n|---|---|---|\n",
    );
    let mut classes: Vec<&str> = guests.iter().map(|guest| guest.class.as_str()).collect();
    classes.sort_unstable();
    classes.dedup();
    for class in classes {
        let count = guests.iter().filter(|guest| guest.class == class).count();
        let _ = writeln!(text, "| {class} | {count} | {count} |");
    }
    text.push_str("\n| guest | tries | ends | message |\n|---|---|---|---|\n");
    for guest in guests {
        let ends = if guest.ends == "answers" {
            "got nothing"
        } else {
            &guest.ends
        };
        let says = guest.says.replace('`', "'").replace('|', "\\|");
        let _ = writeln!(text, "| {} | {} | {ends} | `{says}` |", guest.name, guest.tries);
    }
    text
}

//! Plain programs under a real `hookbox run`: a Rust program compiled for both previews of WASI, and small ones by hand.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod by_hand;
mod files;

use hookbox_tests::{Place, Ran};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The guest, compiled for preview 1 (a core module) and preview 2 (a component).
fn guests() -> &'static [(&'static str, PathBuf); 2] {
    static GUESTS: OnceLock<[(&str, PathBuf); 2]> = OnceLock::new();
    GUESTS.get_or_init(|| ["wasip1", "wasip2"].map(|target| (target, compile(target))))
}

fn compile(target: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/guest.rs");
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("guest-{target}.wasm"));
    let changed = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    if changed(&kept) > changed(&source) {
        return kept;
    }
    // Each test is a process of its own; what one compiles must be whole before another reads it.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let made = folder.path().join("guest.wasm");
    let target_name = format!("wasm32-{target}");
    let ran = Command::new("rustc")
        .args([
            "--edition",
            "2024",
            "-O",
            "-C",
            "strip=symbols",
            "--target",
            &target_name,
            "-o",
        ])
        .args([&made, &source])
        .output()
        .expect("rustc");
    assert!(
        ran.status.success(),
        "{}\nhint: rustup target add {target_name}, or cargo xtask test",
        String::from_utf8_lossy(&ran.stderr)
    );
    std::fs::rename(made, &kept).expect("the guest");
    kept
}

/// A handler on every event, as a test wants it.
#[derive(Clone)]
struct Handler {
    file: PathBuf,
    settings: Value,
    grants: Value,
    limits: Value,
    on_failure: &'static str,
    timeout: f64,
}

impl Handler {
    fn of(file: &Path) -> Self {
        Handler {
            file: file.into(),
            settings: Value::Null,
            grants: json!({}),
            limits: json!({}),
            on_failure: "block",
            // Fuel decides; the clock would on a loaded machine.
            timeout: 120.0,
        }
    }

    fn run(&self, place: &Place, command: &str) -> Ran {
        self.run_on(place, &place.tool_event("PreToolUse", command))
    }

    fn run_on(&self, place: &Place, event: &Value) -> Ran {
        let mut handler =
            json!({ "type": "wasm", "plugin": "p", "timeout": self.timeout, "onFailure": self.on_failure });
        if !self.settings.is_null() {
            handler["settings"] = self.settings.clone();
        }
        place.configure(&json!({
            "hooks": { "PreToolUse": [{ "hooks": [handler.clone()] }], "Stop": [{ "hooks": [handler] }] },
            "plugins": { "p": { "source": self.file, "grants": self.grants, "limits": self.limits } },
        }));
        let ran = place.run(event);
        assert!(matches!(ran.code, Some(0 | 2)), "{ran:?}");
        ran
    }

    /// The reason with which it denies the command.
    fn reason(&self, place: &Place, command: &str) -> String {
        let ran = self.run(place, command);
        let result = ran.result(0);
        assert_eq!(
            (ran.code, &result["decision"]),
            (Some(2), &json!("deny")),
            "{command}: {ran:?}"
        );
        assert!(result["failure"].is_null(), "{command}: {result}");
        result["reason"].as_str().unwrap().to_string()
    }

    /// The failure of a run, which blocked.
    fn failure(&self, place: &Place, command: &str) -> (String, String) {
        let ran = self.run(place, command);
        let result = ran.result(0);
        assert_eq!(ran.code, Some(2), "{command} was not blocked: {ran:?}");
        let text = |key: &str| result["failure"][key].as_str().unwrap_or_default().to_string();
        (text("kind"), text("message"))
    }
}

#[test]
fn a_program_answers_by_exit_code_and_by_json() {
    let place = Place::new();
    for (target, file) in guests() {
        let handler = Handler::of(file);
        let silent = handler.run(&place, "nothing");
        assert_eq!(
            (silent.code, silent.result(0)["decision"].as_str()),
            (Some(0), Some("none")),
            "{target}"
        );
        let allowed = handler.run(&place, "allow");
        assert_eq!(
            (allowed.code, allowed.result(0)["decision"].as_str()),
            (Some(0), Some("allow")),
            "{target}"
        );
        let denied = handler.run(&place, "deny");
        assert_eq!(
            (denied.code, denied.result(0)["decision"].as_str()),
            (Some(2), Some("deny")),
            "{target}"
        );
        assert_eq!(
            denied.stderr.trim(),
            "[2Jas told",
            "{target}: what would move a terminal is taken out"
        );
        assert!(denied.result(0)["fuel"].as_u64().unwrap() > 1_000, "{target}");
    }
}

#[test]
fn exit_code_2_of_a_core_module_blocks_with_what_stands_on_stderr() {
    let place = Place::new();
    let [(_, module), (_, component)] = guests();
    for on_failure in ["block", "continue"] {
        let handler = Handler {
            on_failure,
            ..Handler::of(module)
        };
        assert_eq!(
            handler.reason(&place, "exit 2").trim(),
            "[p]: ends with 2",
            "{on_failure}"
        );
        assert_eq!(
            handler.reason(&place, "background 2"),
            "[p]: No stderr output",
            "{on_failure}"
        );
    }
    // The toolchain's `exit(2)` is `exit(err)` in this version of WASI: a failure, and no consent.
    let (kind, message) = Handler::of(component).failure(&place, "exit 2");
    assert_eq!((kind.as_str(), message.trim()), ("Exit", "exit code 1: ends with 2"));
}

#[test]
fn any_other_exit_code_is_a_failure_and_never_consent() {
    let place = Place::new();
    for (target, file) in guests() {
        for command in ["exit 1", "exit 3", "exit-with-allow 1", "exit-with-allow 3"] {
            let (kind, _) = Handler::of(file).failure(&place, command);
            assert_eq!(kind, "Exit", "{target} {command}");
            let loosened = Handler {
                on_failure: "continue",
                ..Handler::of(file)
            }
            .run(&place, command);
            let result = loosened.result(0);
            assert_eq!(
                (loosened.code, &result["decision"]),
                (Some(0), &json!("none")),
                "{target} {command}"
            );
            assert_eq!(
                result["failure"]["kind"], "Exit",
                "{target} {command}: the audit shows it"
            );
        }
    }
}

#[test]
fn a_program_that_breaks_blocks_with_its_last_words() {
    let place = Place::new();
    for (target, file) in guests() {
        let handler = Handler::of(file);
        for (command, kind, says) in [
            ("panic", "Trap", "\nas told"),
            ("abort", "Trap", "unreachable"),
            (
                "exit 200",
                if *target == "wasip1" { "Trap" } else { "Exit" },
                "ends with 200",
            ),
            ("recurse", "Trap", "wasm trap"),
            ("loop", "OutOfFuel", "out of fuel after 100000000 units"),
            ("grow", "OutOfMemory", "more than 67108864 bytes"),
            ("look", "OutOfFuel", "the host handled more than"),
            ("complain ALAS", "OutOfFuel", "\nALAS"),
            ("complain-once", "TooLarge", "stderr has 1048577 bytes, at most 1048576"),
            ("background 0", "BadAnswer", "in the background"),
        ] {
            let (found, message) = handler.failure(&place, command);
            assert_eq!(found, kind, "{target} {command}: {message}");
            assert!(message.contains(says), "{target} {command}: {message}");
            assert!(message.len() < 4096, "{target} {command}: {} bytes", message.len());
        }
        let printing = "print ".to_string() + &"much ".repeat(200);
        assert_eq!(handler.failure(&place, &printing).0, "TooLarge", "{target}");
        let deaf = printing.replacen("print", "print-deaf", 1);
        assert_eq!(handler.failure(&place, &deaf).0, "TooLarge", "{target}");
    }
}

#[test]
fn a_program_that_sleeps_is_ended_at_its_deadline() {
    let place = Place::new();
    for (target, file) in guests() {
        let (kind, message) = Handler {
            timeout: 0.2,
            ..Handler::of(file)
        }
        .failure(&place, "sleep");
        assert_eq!(
            (kind.as_str(), message.as_str()),
            ("TimedOut", "timed out after 200 ms"),
            "{target}"
        );
    }
}

#[test]
fn a_failure_on_stop_lets_the_agent_stop() {
    let place = Place::new();
    for (target, file) in guests() {
        let mut event = place.tool_event("Stop", "exit 1");
        event["stop_hook_active"] = json!(false);
        let ran = Handler::of(file).run_on(&place, &event);
        assert_eq!(ran.code, Some(0), "{target}: {ran:?}");
        assert_eq!(ran.result(0)["failure"]["kind"], "Exit", "{target}");
    }
}

#[test]
fn the_event_comes_whole_and_each_time_afresh() {
    let place = Place::new();
    for (_, file) in guests() {
        let handler = Handler::of(file);
        let short = handler.reason(&place, "size");
        let long: usize = handler
            .reason(&place, &("size ".to_string() + &"x".repeat(3 << 20)))
            .parse()
            .unwrap();
        assert_eq!(long, short.parse::<usize>().unwrap() + 1 + (3 << 20));
        assert_eq!(handler.reason(&place, "size"), short);
    }
}

#[test]
fn settings_are_arguments_or_a_variable() {
    let place = Place::new();
    for (target, file) in guests() {
        let with = |settings: Value| Handler {
            settings,
            ..Handler::of(file)
        };
        assert_eq!(with(Value::Null).reason(&place, "arguments"), "plugin", "{target}");
        assert_eq!(
            with(json!(["--level", "2"])).reason(&place, "arguments"),
            "plugin,--level,2",
            "{target}"
        );
        let project = format!("CLAUDE_PROJECT_DIR={}", place.project().display());
        assert_eq!(with(json!(["x"])).reason(&place, "variables"), project, "{target}");
        let variables = with(json!({ "level": 2 })).reason(&place, "variables");
        assert_eq!(
            variables,
            format!("{project},HOOKBOX_SETTINGS={{'level':2}}"),
            "{target}"
        );
    }
}

#[test]
fn nothing_of_the_surroundings_reaches_a_program_without_a_grant() {
    let place = Place::new();
    for (target, file) in guests() {
        let bare = Handler::of(file);
        assert!(
            bare.reason(&place, "time").parse_ms() < 10,
            "{target}: a clock that starts at 0"
        );
        assert_eq!(bare.reason(&place, "wait"), "waited", "{target}: and goes on");
        assert_eq!(
            bare.reason(&place, "chance"),
            bare.reason(&place, "chance"),
            "{target}: the same each time"
        );
        let granted = Handler {
            grants: json!({ "clock": true, "random": true, "env": ["HOME", "HOOKBOX_SETTINGS"] }),
            ..bare
        };
        assert!(
            granted.reason(&place, "time").parse_ms() > 1_700_000_000_000,
            "{target}"
        );
        assert_ne!(
            granted.reason(&place, "chance"),
            granted.reason(&place, "chance"),
            "{target}"
        );
        let variables = granted.reason(&place, "variables");
        assert!(
            variables.contains(&format!("HOME={}", place.home().display())),
            "{target}: {variables}"
        );
        assert!(
            !variables.contains("PATH=") && !variables.contains("HOOKBOX_SETTINGS"),
            "{target}: {variables}"
        );
    }
}

#[test]
fn check_tells_what_whoever_configured_a_program_should_know() {
    let place = Place::new();
    let [(_, module), (_, component)] = guests();
    let check = |file: &PathBuf| {
        let handler = Handler {
            grants: json!({ "stat": ["/"], "state": true }),
            ..Handler::of(file)
        };
        handler.run(&place, "nothing");
        let told = place.end(place.command(&["check"]), b"");
        assert_eq!(told.code, Some(0), "{told:?}");
        told.stdout
    };
    assert!(check(module).contains("the grants `stat`, `state` give nothing"));
    let told = check(component);
    assert!(
        told.contains("exit code 2 into 1") && !told.contains("give nothing"),
        "{told}"
    );
}

#[test]
fn the_same_event_costs_the_same_fuel() {
    let place = Place::new();
    for (target, file) in guests() {
        let fuel = || Handler::of(file).run(&place, "chance").result(0)["fuel"].as_u64();
        assert_eq!(fuel(), fuel(), "{target}");
    }
}

/// `12 ms` as a number.
trait Milliseconds {
    fn parse_ms(&self) -> u64;
}

impl Milliseconds for String {
    fn parse_ms(&self) -> u64 {
        self.strip_suffix(" ms").unwrap().parse().unwrap()
    }
}

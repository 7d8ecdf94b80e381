//! `hookbox init`, in a home of its own: what it puts in, that the entry works as the agent would call it, and that it comes out again.

#![allow(clippy::unwrap_used, clippy::panic)] // A failed unwrap is a failed test.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A home with a copy of the program, which a test can take away.
struct Home {
    folder: TempDir,
    program: PathBuf,
}

impl Home {
    fn new() -> Home {
        let folder = TempDir::new().unwrap();
        let program = folder.path().join("bin/hookbox");
        fs::create_dir_all(folder.path().join("bin")).unwrap();
        fs::create_dir_all(folder.path().join("work")).unwrap();
        fs::copy(env!("CARGO_BIN_EXE_hookbox"), &program).unwrap();
        Home { folder, program }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("HOME", self.folder.path())
            // What `init` prepares is the same in every home.
            .env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
            .env("PATH", "/usr/bin:/bin")
            .current_dir(self.path("work"));
        command
    }

    fn init(&self, args: &[&str]) -> Output {
        self.command(&self.program).arg("init").args(args).output().unwrap()
    }

    /// Runs an entry's command as an agent does.
    fn call(&self, command: &str, event: &str) -> Output {
        let mut shell = self.command(Path::new("/bin/sh"));
        let shell = shell
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = shell.spawn().unwrap();
        // A program that is not there reads nothing.
        let _ = child.stdin.take().unwrap().write_all(event.as_bytes());
        child.wait_with_output().unwrap()
    }

    /// Every file that is not the program, hookbox's own configuration or its state.
    fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path
                    .strip_prefix(self.folder.path())
                    .unwrap()
                    .to_string_lossy()
                    .into_owned();
                let own = ["bin", ".config/hookbox", ".cache/hookbox", ".local/state/hookbox"].contains(&name.as_str());
                match path.is_dir() {
                    true if !own => folders.push(path),
                    false => found.push(name),
                    true => {}
                }
            }
        }
        found.sort();
        found
    }
}

const AGENTS: &[(&str, &str)] = &[
    ("claude-code", ".claude/settings.json"),
    ("codex", ".codex/hooks.json"),
    ("gemini", ".gemini/settings.json"),
    ("copilot", ".copilot/hooks/hookbox.json"),
    ("cursor", ".cursor/hooks.json"),
    ("qwen", ".qwen/settings.json"),
    ("opencode", ".config/opencode/plugins/hookbox.js"),
    ("vscode", ".copilot/hooks/hookbox-vscode.json"),
    ("droid", ".factory/hooks.json"),
    ("windsurf", ".codeium/windsurf/hooks.json"),
    ("kiro", ".kiro/hooks/hookbox.json"),
    ("goose", ".agents/plugins/hookbox/hooks/hooks.json"),
    ("cline", "Documents/Cline/Hooks/PreToolUse"),
    ("antigravity", ".gemini/config/hooks.json"),
];

#[test]
fn every_agent_gets_its_entry_and_loses_it_again() {
    let home = Home::new();
    for (agent, file) in AGENTS {
        assert!(home.init(&["--agent", agent]).status.success(), "{agent}");
        let text = fs::read_to_string(home.path(file)).unwrap();
        assert!(
            text.contains(&format!("run --agent {agent} || exit 2")),
            "{agent}: {text}"
        );
        let again = home.init(&["--agent", agent]);
        assert!(
            String::from_utf8_lossy(&again.stdout).contains("everything is there already"),
            "{agent}"
        );
    }
    assert!(
        fs::read_to_string(home.path(".codex/config.toml"))
            .unwrap()
            .contains("trusted_hash = \"sha256:")
    );
    for (agent, _) in AGENTS {
        assert!(home.init(&["--agent", agent, "--remove"]).status.success(), "{agent}");
    }
    assert_eq!(home.files(), Vec::<String>::new());
}

#[test]
fn a_users_file_comes_back_byte_for_byte() {
    for text in [
        "{\n  \"model\": \"opus\",\n  \"hooks\": {}\n}",
        "{\"env\":{\"A\":\"1\"},\"hooks\":{\"Stop\":[]}}",
        "{\n\t\"a\": [1, 2]\n}\n",
    ] {
        let home = Home::new();
        home.write(".claude/settings.json", text);
        assert!(home.init(&["--agent", "claude-code"]).status.success());
        assert_ne!(fs::read_to_string(home.path(".claude/settings.json")).unwrap(), text);
        assert!(home.init(&["--agent", "claude-code", "--remove"]).status.success());
        assert_eq!(fs::read_to_string(home.path(".claude/settings.json")).unwrap(), text);
    }
}

#[test]
fn what_the_user_added_since_stays() {
    let home = Home::new();
    assert!(home.init(&["--agent", "gemini"]).status.success());
    let text = fs::read_to_string(home.path(".gemini/settings.json")).unwrap();
    home.write(
        ".gemini/settings.json",
        &text.replacen('{', "{\n  \"theme\": \"dark\",", 1),
    );
    assert!(home.init(&["--agent", "gemini", "--remove"]).status.success());
    assert_eq!(
        fs::read_to_string(home.path(".gemini/settings.json")).unwrap().trim(),
        "{\n  \"theme\": \"dark\"\n}"
    );
}

#[test]
fn a_file_with_comments_is_left_alone_and_what_belongs_into_it_is_said() {
    let home = Home::new();
    let text = "{\n  // mine\n  \"model\": \"opus\"\n}\n";
    home.write(".claude/settings.json", text);
    let told = home.init(&["--agent", "claude-code"]);
    let stderr = String::from_utf8_lossy(&told.stderr).into_owned();
    assert_eq!(told.status.code(), Some(2));
    assert!(
        stderr.contains("comments would be lost") && stderr.contains("run --agent claude-code || exit 2"),
        "{stderr}"
    );
    assert_eq!(fs::read_to_string(home.path(".claude/settings.json")).unwrap(), text);
}

#[test]
fn a_dry_run_changes_nothing() {
    let home = Home::new();
    let told = home.init(&["--agent", "claude-code", "--dry-run"]);
    assert!(String::from_utf8_lossy(&told.stdout).contains("run --agent claude-code"));
    assert_eq!(home.files(), Vec::<String>::new());
}

#[test]
fn the_entry_blocks_and_it_blocks_when_the_program_is_gone() {
    let home = Home::new();
    assert!(home.init(&["--agent", "claude-code"]).status.success());
    let settings = fs::read(home.path(".claude/settings.json")).unwrap();
    let settings: serde_json::Value = serde_json::from_slice(&settings).unwrap();
    let handler = &settings["hooks"]["PreToolUse"][0]["hooks"][0];
    assert_eq!(
        (handler["onFailure"].as_str(), handler["timeout"].as_u64()),
        (Some("block"), Some(60))
    );
    let command = handler["command"].as_str().unwrap();
    let event = |line: &str| {
        let input = serde_json::json!({ "command": line });
        serde_json::json!({"hook_event_name": "PreToolUse", "cwd": "/w", "tool_name": "Bash", "tool_input": input})
            .to_string()
    };
    assert_eq!(
        home.call(command, &event("git push --force origin main")).status.code(),
        Some(2)
    );
    assert_eq!(home.call(command, &event("cargo build")).status.code(), Some(0));
    assert_eq!(home.call(command, "not an event").status.code(), Some(2));
    fs::write(&home.program, "#!/bin/sh\nkill -9 $$\n").unwrap();
    let killed = home.call(command, &event("cargo build"));
    assert!(killed.status.code() == Some(2) && !killed.stderr.is_empty());
    fs::remove_file(&home.program).unwrap();
    let missing = home.call(command, &event("cargo build"));
    assert!(missing.status.code() == Some(2) && !missing.stderr.is_empty());
}

#[test]
fn an_unknown_agent_is_refused_with_the_names_that_are_known() {
    let told = Home::new().init(&["--agent", "clippy"]);
    assert_eq!(told.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&told.stderr).contains("hint: one of claude-code, codex"));
}

#[test]
fn a_configuration_of_codex_that_would_break_is_left_alone() {
    for config in ["hooks = { state = {} }\n", "model = \n"] {
        let home = Home::new();
        home.write(".codex/config.toml", config);
        let told = home.init(&["--agent", "codex"]);
        assert_eq!(told.status.code(), Some(2), "{config}");
        assert!(
            String::from_utf8_lossy(&told.stderr).contains("would not be TOML"),
            "{config}"
        );
        assert_eq!(home.files(), [".codex/config.toml"]);
        assert_eq!(fs::read_to_string(home.path(".codex/config.toml")).unwrap(), config);
    }
}

/// `hookbox check` by another copy of the program, so that the one that the entries call may be gone.
fn check(home: &Home) -> (Option<i32>, String) {
    let output = home
        .command(Path::new(env!("CARGO_BIN_EXE_hookbox")))
        .arg("check")
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn check_runs_every_agents_entry_as_the_agent_would() {
    let home = Home::new();
    let (code, said) = check(&home);
    assert!(code == Some(0) && said.contains("no agent calls hookbox yet"), "{said}");
    for (agent, _) in AGENTS {
        assert!(home.init(&["--agent", agent]).status.success(), "{agent}");
    }
    let (code, said) = check(&home);
    assert_eq!(code, Some(0), "{said}");
    for (agent, _) in AGENTS {
        let line = said.lines().find(|line| line.starts_with(&format!("works: {agent}: ")));
        let line = line.unwrap_or_else(|| panic!("{agent}: {said}"));
        assert!(
            line.ends_with("a harmless call passes, an event that cannot be read is blocked, `rm -rf /` is denied"),
            "{line}"
        );
    }
    assert!(!said.contains("warning"), "{said}");
}

#[test]
fn check_takes_the_command_of_the_end_of_a_turn_as_it_is() {
    let home = Home::new();
    let handler = r#"[{"hooks": [{"type": "command", "command": "true"}]}]"#;
    home.write(
        ".config/hookbox/hooks.json",
        &format!(r#"{{"hooks": {{"PreToolUse": {handler}, "Stop": {handler}}}}}"#),
    );
    for (agent, _) in AGENTS {
        assert!(home.init(&["--agent", agent]).status.success(), "{agent}");
    }
    let settings = fs::read_to_string(home.path(".claude/settings.json")).unwrap();
    assert!(
        settings.contains("|| exit 2") && settings.contains("|| exit $?"),
        "{settings}"
    );
    let (code, said) = check(&home);
    assert!(code == Some(0) && !said.contains("not what `hookbox init`"), "{said}");
    // A call that passes the code of a missing program on lets it run.
    fs::write(
        home.path(".claude/settings.json"),
        settings.replace("|| exit 2", "|| exit $?"),
    )
    .unwrap();
    let (_, said) = check(&home);
    assert!(
        said.contains("warning: claude-code: ") && said.contains("not what `hookbox init`"),
        "{said}"
    );
}

#[test]
fn check_says_what_is_wrong_with_an_entry_and_how_to_mend_it() {
    let home = Home::new();
    assert!(home.init(&["--agent", "claude-code"]).status.success());
    assert!(home.init(&["--agent", "codex"]).status.success());
    let settings = home.path(".claude/settings.json");
    let right = fs::read_to_string(&settings).unwrap();
    // Without its closing a missing program lets every call run.
    fs::write(&settings, right.replace(" || exit 2", "")).unwrap();
    let (code, said) = check(&home);
    assert!(
        code == Some(1) && said.contains("does not block by itself (`|| exit 2` at its end)"),
        "{said}"
    );
    assert!(said.contains("hint: hookbox init --agent claude-code"), "{said}");
    // Another agent's dialect.
    fs::write(&settings, right.replace("--agent claude-code", "--agent gemini")).unwrap();
    assert!(
        check(&home).1.contains("does not say `--agent claude-code`"),
        "{}",
        check(&home).1
    );
    // An event that has handlers is not registered any more.
    fs::write(&settings, right.replace("UserPromptSubmit", "SessionStart")).unwrap();
    assert!(
        check(&home).1.contains("not what `hookbox init` would write"),
        "{}",
        check(&home).1
    );
    // Another timeout.
    fs::write(&settings, right.replace("\"timeout\": 60", "\"timeout\": 5")).unwrap();
    assert!(
        check(&home).1.contains("not what `hookbox init` would write"),
        "{}",
        check(&home).1
    );
    // Codex no longer trusts it.
    fs::write(&settings, &right).unwrap();
    fs::write(home.path(".codex/config.toml"), "model = \"m\"\n").unwrap();
    assert!(check(&home).1.contains("warning: codex: "), "{}", check(&home).1);
    // The program is gone: everything is blocked, and that is said.
    fs::remove_file(&home.program).unwrap();
    let (code, said) = check(&home);
    assert!(
        code == Some(1) && said.contains("a harmless call (`true`) is blocked because something is broken"),
        "{said}"
    );
}

#[test]
fn every_agents_file_comes_back_with_what_the_user_had_in_it() {
    let text = "{\n  \"mine\": {\n    \"a\": [1, 2]\n  }\n}\n";
    let home = Home::new();
    let shared = [
        "claude-code",
        "codex",
        "gemini",
        "cursor",
        "qwen",
        "droid",
        "windsurf",
        "antigravity",
    ];
    for (agent, file) in AGENTS.iter().filter(|(agent, _)| shared.contains(agent)) {
        home.write(file, text);
        let dry = home.init(&["--agent", agent, "--dry-run"]);
        let shown = String::from_utf8_lossy(&dry.stdout).into_owned();
        assert!(
            shown.contains("(changed)") && shown.contains(&format!("run --agent {agent}")),
            "{agent}: {shown}"
        );
        assert_eq!(fs::read_to_string(home.path(file)).unwrap(), text, "{agent}");
        assert!(home.init(&["--agent", agent]).status.success(), "{agent}");
        let with = fs::read_to_string(home.path(file)).unwrap();
        assert!(
            home.init(&["--agent", agent, "--remove", "--dry-run"]).status.success(),
            "{agent}"
        );
        assert_eq!(fs::read_to_string(home.path(file)).unwrap(), with, "{agent}");
        assert!(home.init(&["--agent", agent, "--remove"]).status.success(), "{agent}");
        assert_eq!(fs::read_to_string(home.path(file)).unwrap(), text, "{agent}");
    }
}

#[test]
fn an_entry_of_an_earlier_version_is_known_replaced_and_taken_out() {
    let earlier = r#"{"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "/old/hookbox run --agent gemini || exit 2", "timeout": 60000}]}],
        "AfterAgent": [{"hooks": [{"type": "command", "command": "/old/hookbox run --agent gemini || exit $?", "timeout": 60000}]}]}}"#;
    let home = Home::new();
    home.write(".gemini/settings.json", earlier);
    assert!(
        check(&home).1.contains("not what `hookbox init` would write"),
        "{}",
        check(&home).1
    );
    assert!(home.init(&["--agent", "gemini"]).status.success());
    let text = fs::read_to_string(home.path(".gemini/settings.json")).unwrap();
    assert!(text.contains("-s KILL 57") && !text.contains("/old/hookbox"), "{text}");
    home.write(".gemini/settings.json", earlier);
    assert!(home.init(&["--agent", "gemini", "--remove"]).status.success());
    assert_eq!(home.files(), Vec::<String>::new());
}

#[test]
fn without_a_name_the_agents_that_are_here_are_found() {
    let home = Home::new();
    fs::create_dir(home.path(".codex")).unwrap();
    fs::create_dir(home.path(".gemini")).unwrap();
    // Nobody can be asked here.
    let told = home.init(&[]);
    let stderr = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(
        told.status.code() == Some(2) && stderr.contains("found codex, gemini"),
        "{stderr}"
    );
    let dry = home.init(&["--dry-run"]);
    let shown = String::from_utf8_lossy(&dry.stdout).into_owned();
    assert!(
        shown.contains("run --agent codex") && shown.contains("run --agent gemini"),
        "{shown}"
    );
    assert_eq!(home.files(), Vec::<String>::new());
}

/// Runs `hookbox init` on a terminal of its own, which script(1) of util-linux makes, and types these lines.
#[cfg(target_os = "linux")]
fn on_a_terminal(home: &Home, typed: &str) -> (Option<i32>, String) {
    let mut script = home.command(Path::new("script"));
    let line = format!("{} init", home.program.display());
    script.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
    let mut child = script
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
    )
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_init_asks_for_each_agent_that_is_here_and_sets_up_those_that_are_wanted() {
    let home = Home::new();
    for folder in [".claude", ".codex", ".gemini"] {
        fs::create_dir(home.path(folder)).unwrap();
    }
    let (code, said) = on_a_terminal(&home, "y\nno\nY\n");
    assert_eq!(code, Some(0), "{said}");
    for agent in ["claude-code", "codex", "gemini"] {
        assert!(said.contains(&format!("set up {agent} (")), "{said}");
    }
    assert!(
        said.contains("claude-code is set up")
            && said.contains("gemini is set up")
            && !said.contains("codex is set up"),
        "{said}"
    );
    assert_eq!(home.files(), [".claude/settings.json", ".gemini/settings.json"]);
}

#[cfg(target_os = "linux")]
#[test]
fn who_wants_none_of_the_agents_on_a_terminal_gets_nothing_written() {
    let home = Home::new();
    fs::create_dir(home.path(".codex")).unwrap();
    // The line alone is a no, and so is the end of what is typed.
    for typed in ["\n", "maybe\n", "\u{4}"] {
        let (code, said) = on_a_terminal(&home, typed);
        assert!(
            code == Some(0) && said.contains("set up codex (") && said.contains("nothing is changed"),
            "{said}"
        );
        assert_eq!(home.files(), Vec::<String>::new());
        assert!(!home.path(".config/hookbox").exists());
    }
}

/// What the user may do to a file between `init` and `--remove`, by its shape: what is there then, without hookbox.
fn edited(agent: &str, text: &str) -> (String, String) {
    let mine = serde_json::json!({ "type": "command", "command": "mine", "bash": "mine", "action": { "type": "command", "command": "mine" } });
    let mut value: serde_json::Value = serde_json::from_str(text).unwrap();
    value["mine"] = serde_json::json!(["kept"]);
    let events = &mut value[if agent == "antigravity" { "hookbox" } else { "hooks" }];
    // Beside hookbox's entry: in its group where there are groups, else in the list. And another timeout.
    let slower = |entry: &mut serde_json::Value| {
        for key in ["timeout", "timeoutSec"] {
            if entry.get(key).is_some() {
                entry[key] = serde_json::json!(54_321);
            }
        }
    };
    let list = match events {
        serde_json::Value::Array(list) => list,
        events => events
            .as_object_mut()
            .unwrap()
            .values_mut()
            .next()
            .unwrap()
            .as_array_mut()
            .unwrap(),
    };
    match list[0].get_mut("hooks").and_then(serde_json::Value::as_array_mut) {
        Some(handlers) => {
            handlers.iter_mut().for_each(slower);
            handlers.insert(0, mine.clone());
        }
        None => {
            list.iter_mut().for_each(slower);
            list.insert(0, mine);
        }
    }
    // On one line, as another program may have written it.
    (value.to_string(), "mine".into())
}

#[test]
fn remove_takes_out_exactly_what_init_put_in_though_the_user_edited_the_file_since() {
    let home = Home::new();
    let scripts = ["cline", "opencode"];
    for (agent, file) in AGENTS.iter().filter(|(agent, _)| !scripts.contains(agent)) {
        assert!(home.init(&["--agent", agent]).status.success(), "{agent}");
        let (text, _) = edited(agent, &fs::read_to_string(home.path(file)).unwrap());
        home.write(file, &text);
        // Setting it up once more keeps what is the user's.
        assert!(home.init(&["--agent", agent]).status.success(), "{agent}");
        let again = fs::read_to_string(home.path(file)).unwrap();
        assert!(
            again.contains("\"kept\"") && again.contains("\"mine\"") && !again.contains("54321"),
            "{agent}: {again}"
        );
        home.write(file, &text);
        assert!(home.init(&["--agent", agent, "--remove"]).status.success(), "{agent}");
        let left = fs::read_to_string(home.path(file)).unwrap();
        assert!(!left.contains(" run --agent"), "{agent}: {left}");
        let left: serde_json::Value = serde_json::from_str(&left).unwrap();
        assert_eq!(left["mine"], serde_json::json!(["kept"]), "{agent}: {left}");
        assert_eq!(
            left.to_string().matches("\"command\":\"mine\"").count(),
            2,
            "{agent}: {left}"
        );
    }
    assert!(home.init(&["--agent", "cline"]).status.success());
    let script = "Documents/Cline/Hooks/PreToolUse";
    let text = fs::read_to_string(home.path(script)).unwrap();
    home.write(script, &text.replacen("sh -c", "mine --first\nsh -c", 1));
    let again = home.init(&["--agent", "cline"]);
    assert!(String::from_utf8_lossy(&again.stdout).contains("everything is there already"));
    assert!(home.init(&["--agent", "cline", "--remove"]).status.success());
    assert_eq!(
        fs::read_to_string(home.path(script)).unwrap(),
        "#!/bin/sh\nmine --first\n"
    );
}

#[test]
fn the_trust_that_init_gives_codex_goes_and_what_the_user_wrote_around_it_stays() {
    let home = Home::new();
    home.write(".codex/config.toml", "model = \"m\"\n");
    assert!(home.init(&["--agent", "codex"]).status.success());
    let text = fs::read_to_string(home.path(".codex/config.toml")).unwrap();
    let mine = "\n[projects.\"/srv\"]\ntrust_level = \"trusted\"\n\n[hooks.state.\"/mine:stop:0:0\"]\ntrusted_hash = \"sha256:1\"\n";
    home.write(".codex/config.toml", &format!("{text}{mine}"));
    assert!(home.init(&["--agent", "codex", "--remove"]).status.success());
    let left = fs::read_to_string(home.path(".codex/config.toml")).unwrap();
    assert_eq!(left.trim(), format!("model = \"m\"\n{mine}").trim());
}

#[test]
fn a_command_that_somebody_changed_since_is_left_and_told() {
    let home = Home::new();
    assert!(home.init(&["--agent", "claude-code"]).status.success());
    let text = fs::read_to_string(home.path(".claude/settings.json")).unwrap();
    home.write(".claude/settings.json", &text.replace(" || exit 2", " || true"));
    let told = home.init(&["--agent", "claude-code", "--remove"]);
    let said = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(
        told.status.success()
            && said.contains("still has a command that calls hookbox")
            && !said.contains("nothing of hookbox"),
        "{said}"
    );
    assert!(
        fs::read_to_string(home.path(".claude/settings.json"))
            .unwrap()
            .contains(" || true")
    );
}

#[test]
fn the_entry_gives_hookbox_a_minute_in_the_agents_own_unit_under_the_agents_own_key() {
    let home = Home::new();
    for (agent, wanted) in [
        ("claude-code", Some("\"timeout\": 60")),
        ("codex", Some("\"timeout\": 60")),
        ("gemini", Some("\"timeout\": 60000")),
        ("copilot", Some("\"timeoutSec\": 60")),
        ("cursor", Some("\"timeout\": 60")),
        ("qwen", Some("\"timeout\": 60")),
        ("opencode", Some("TIMEOUT_MS = 60000")),
        ("vscode", Some("\"timeout\": 60")),
        ("droid", Some("\"timeout\": 60")),
        // Has no such setting.
        ("windsurf", None),
        ("kiro", Some("\"timeout\": 60")),
        ("goose", Some("\"timeout\": 60")),
        ("cline", None),
        ("antigravity", Some("\"timeout\": 60")),
    ] {
        assert!(home.init(&["--agent", agent]).status.success(), "{agent}");
        let (_, file) = AGENTS.iter().find(|(name, _)| *name == agent).unwrap();
        let text = fs::read_to_string(home.path(file)).unwrap();
        match wanted {
            // The number ends there.
            Some(wanted) => assert!(
                text.match_indices(wanted)
                    .all(|(at, _)| !text[at + wanted.len()..].starts_with(|c: char| c.is_ascii_digit()))
                    && text.contains(wanted),
                "{agent}: {text}"
            ),
            None => assert!(!text.contains("\"timeout"), "{agent}: {text}"),
        }
    }
}

#[test]
fn the_entry_stands_where_a_variable_moves_the_agents_folder_to() {
    let home = Home::new();
    for (agent, variable, value, file) in [
        (
            "claude-code",
            "CLAUDE_CONFIG_DIR",
            "moved/claude",
            "moved/claude/settings.json",
        ),
        ("codex", "CODEX_HOME", "moved/codex", "moved/codex/hooks.json"),
        ("gemini", "GEMINI_CLI_HOME", "moved", "moved/.gemini/settings.json"),
        (
            "copilot",
            "COPILOT_HOME",
            "moved/copilot",
            "moved/copilot/hooks/hookbox.json",
        ),
        ("qwen", "QWEN_HOME", "moved/qwen", "moved/qwen/settings.json"),
        (
            "opencode",
            "XDG_CONFIG_HOME",
            "moved",
            "moved/opencode/plugins/hookbox.js",
        ),
    ] {
        let init = |more: &[&str]| {
            let mut command = home.command(&home.program);
            command
                .args(["init", "--agent", agent])
                .args(more)
                .env(variable, home.path(value));
            command.output().unwrap()
        };
        assert!(init(&[]).status.success(), "{agent}");
        let text = fs::read_to_string(home.path(file)).unwrap();
        assert!(text.contains(&format!("run --agent {agent}")), "{agent}: {text}");
        assert!(init(&["--remove"]).status.success(), "{agent}");
        assert!(!home.path(file).exists(), "{agent}");
    }
}

#[test]
fn a_projects_entry_stands_in_the_project_and_calls_hookbox_by_its_name() {
    let home = Home::new();
    for (agent, file) in [
        ("claude-code", ".claude/settings.json"),
        ("codex", ".codex/hooks.json"),
        ("gemini", ".gemini/settings.json"),
        ("copilot", ".github/hooks/hookbox.json"),
        ("cursor", ".cursor/hooks.json"),
        ("qwen", ".qwen/settings.json"),
        ("opencode", ".opencode/plugins/hookbox.js"),
        ("vscode", ".github/hooks/hookbox-vscode.json"),
        ("droid", ".factory/hooks.json"),
        ("windsurf", ".windsurf/hooks.json"),
        ("kiro", ".kiro/hooks/hookbox.json"),
        ("goose", ".agents/plugins/hookbox/hooks/hooks.json"),
        ("cline", ".clinerules/hooks/PreToolUse"),
        ("antigravity", ".agents/hooks.json"),
    ] {
        let before = home.files();
        assert!(home.init(&["--agent", agent, "--project"]).status.success(), "{agent}");
        let text = fs::read_to_string(home.path("work").join(file)).unwrap();
        let call = format!("hookbox run --agent {agent}");
        assert!(text.contains(&call), "{agent}: {text}");
        // Everybody has the program somewhere else.
        assert!(!text.contains(&format!("/{call}")), "{agent}: {text}");
        // At home there is nothing but Codex' trust, which is the user's.
        let at_home: Vec<String> = home
            .files()
            .into_iter()
            .filter(|file| !file.starts_with("work/"))
            .collect();
        let trust = [".codex/config.toml".to_owned()];
        assert_eq!(at_home, if agent == "codex" { &trust[..] } else { &[] }, "{agent}");
        assert!(
            home.init(&["--agent", agent, "--project", "--remove"]).status.success(),
            "{agent}"
        );
        let left: Vec<String> = home
            .files()
            .into_iter()
            .filter(|file| file != "work/.hookbox/hooks.json")
            .collect();
        let before: Vec<String> = before
            .into_iter()
            .filter(|file| file != "work/.hookbox/hooks.json")
            .collect();
        assert_eq!(left, before, "{agent}");
    }
}

#[test]
fn an_agent_that_can_block_by_itself_when_a_hook_fails_is_told_to() {
    let home = Home::new();
    for (agent, file) in AGENTS {
        assert!(home.init(&["--agent", agent]).status.success(), "{agent}");
        let text = fs::read_to_string(home.path(file)).unwrap();
        let closing = match *agent {
            "claude-code" => "\"onFailure\": \"block\"",
            "cursor" => "\"failClosed\": true",
            "goose" => "\"on_failure\": \"block\"",
            // Antigravity and OpenCode's plugin block without being told.
            "antigravity" | "opencode" => "run --agent",
            _ => "timeout -s KILL",
        };
        assert!(text.contains(closing), "{agent}: {text}");
    }
}

#[test]
fn check_finds_a_projects_entry_too() {
    let home = Home::new();
    assert!(home.init(&["--agent", "codex", "--project"]).status.success());
    let check = |path: &str| {
        let mut command = home.command(&home.program);
        let output = command.arg("check").env("PATH", path).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let said = check(&format!("{}:/usr/bin:/bin", home.path("bin").display()));
    assert!(
        said.contains("works: codex: ") && said.contains("work/.codex/hooks.json"),
        "{said}"
    );
    // Whoever has no hookbox on the PATH is blocked, and told why.
    let said = check("/usr/bin:/bin");
    assert!(
        said.contains("a harmless call (`true`) is blocked because something is broken"),
        "{said}"
    );
}

//! The agents' entries, run as an agent does, with something in the place of hookbox that does not answer: in every shell that is here.

use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::thread;
use tempfile::TempDir;

/// What agents run an entry with.
const SHELLS: &[&[&str]] = &[
    &["sh"],
    &["dash"],
    &["bash"],
    &["bash", "--norc", "--noprofile"],
    &["zsh"],
    &["busybox", "sh"],
    &["mksh"],
    &["fish"],
];

/// Stops itself, and again when somebody wakes it.
const HANGS: &str = "#!/bin/sh\nwhile :; do kill -STOP $$; done\n";
const KILLED: &str = "#!/bin/sh\nkill -9 $$\n";

fn is_here(program: &str) -> bool {
    ["/bin", "/usr/bin"]
        .iter()
        .any(|folder| Path::new(folder).join(program).exists())
}

/// A home in which `hookbox init` has set an agent up; what the entry calls is another program by now.
struct SetUp {
    folder: TempDir,
    /// The commands of a call and of the end of a turn.
    call: String,
    stop: Option<String>,
}

impl SetUp {
    fn new(agent: &str, file: &str, program: Option<&str>) -> SetUp {
        let folder = tempfile::tempdir().unwrap();
        let hookbox = folder.path().join("bin/hookbox");
        fs::create_dir_all(folder.path().join("bin")).unwrap();
        fs::copy(env!("CARGO_BIN_EXE_hookbox"), &hookbox).unwrap();
        let config = folder.path().join(".config/hookbox/hooks.json");
        fs::create_dir_all(config.parent().unwrap()).unwrap();
        let handler = json!([{ "hooks": [{ "type": "command", "command": "true" }] }]);
        fs::write(
            config,
            json!({ "hooks": { "PreToolUse": handler, "Stop": handler } }).to_string(),
        )
        .unwrap();
        let init = Command::new(&hookbox)
            .args(["init", "--agent", agent])
            .env_clear()
            .env("HOME", folder.path())
            .env("PATH", "/usr/bin:/bin")
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(init.status.success(), "{agent}: {init:?}");
        let text = fs::read_to_string(folder.path().join(file)).unwrap();
        let (call, stop) = match serde_json::from_str::<Value>(&text) {
            Ok(root) => {
                let command = |events: [&str; 2]| {
                    let hook = &events.iter().find_map(|event| root["hooks"].get(event))?[0];
                    let handler = hook.pointer("/hooks/0").unwrap_or(hook);
                    let command = handler.get("command").or_else(|| handler.get("bash"))?;
                    Some(command.as_str()?.to_owned())
                };
                (
                    command(["PreToolUse", "BeforeTool"]).unwrap(),
                    command(["Stop", "AfterAgent"]),
                )
            }
            // An executable.
            Err(_) => (text.lines().last().unwrap().to_owned(), None),
        };
        fs::remove_file(&hookbox).unwrap();
        if let Some(text) = program {
            fs::write(&hookbox, text).unwrap();
            fs::set_permissions(&hookbox, fs::Permissions::from_mode(0o755)).unwrap();
        }
        // Nobody waits a minute here; who answers is not hurried.
        let sooner = |command: String| {
            if program != Some(HANGS) {
                return command;
            }
            let command = command
                .replace("-s KILL 57 ", "-s KILL 1 ")
                .replace("sleep 57 ", "sleep 1 ");
            command
                .replace("-s KILL 28 ", "-s KILL 1 ")
                .replace("sleep 28 ", "sleep 1 ")
        };
        SetUp {
            folder,
            call: sooner(call),
            stop: stop.map(sooner),
        }
    }

    /// Folders for PATH: everything, or no timeout(1).
    fn paths(&self) -> [PathBuf; 2] {
        let few = self.folder.path().join("few");
        if !few.exists() {
            fs::create_dir(&few).unwrap();
            for program in ["sh", "sleep", "cat"] {
                symlink(Path::new("/bin").join(program), few.join(program)).unwrap();
            }
        }
        ["/usr/bin:/bin".into(), few]
    }

    fn run(&self, shell: &[&str], path: &Path, command: &str) -> Output {
        let program = ["/bin", "/usr/bin"].map(|folder| Path::new(folder).join(shell[0]));
        let program = program.iter().find(|program| program.exists()).unwrap();
        // A home for each: fish makes its folders there, and says so when another one was faster.
        let home = tempfile::tempdir().unwrap();
        let mut child = Command::new(program)
            .args(&shell[1..])
            .args(["-c", command])
            .env_clear()
            .env("HOME", home.path())
            .env("PATH", path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Who is not there reads nothing.
        let _ = child.stdin.take().unwrap().write_all(b"{\"an\": \"event\"}\n");
        child.wait_with_output().unwrap()
    }

    /// Runs a command in every shell, with and without timeout(1), all at once.
    fn everywhere(&self, command: &str, wrong: impl Fn(&Output) -> bool + Sync) {
        let found = Mutex::new(Vec::new());
        let paths = self.paths();
        thread::scope(|scope| {
            for shell in SHELLS.iter().filter(|shell| is_here(shell[0])) {
                for path in &paths {
                    let (found, wrong) = (&found, &wrong);
                    scope.spawn(move || {
                        let ran = self.run(shell, path, command);
                        if wrong(&ran) {
                            found
                                .lock()
                                .unwrap()
                                .push(format!("{shell:?} {}: {ran:?}", path.display()));
                        }
                    });
                }
            }
        });
        let found = found.into_inner().unwrap();
        assert!(found.is_empty(), "{command}\n{}", found.join("\n"));
    }
}

/// Agents whose entries differ in what is watched and told.
const AGENTS: &[(&str, &str)] = &[
    ("codex", ".codex/hooks.json"),
    ("gemini", ".gemini/settings.json"),
    ("copilot", ".copilot/hooks/hookbox.json"),
    ("cline", "Documents/Cline/Hooks/PreToolUse"),
];

fn says_why(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    text.contains("hookbox: no answer (exit code ") && text.contains("run hookbox check")
}

#[test]
fn a_program_that_stands_still_or_is_killed_or_is_gone_blocks_and_says_so_in_every_shell() {
    for (agent, file) in AGENTS {
        for program in [Some(HANGS), Some(KILLED), None] {
            let set_up = SetUp::new(agent, file, program);
            set_up.everywhere(&set_up.call, |ran| match *agent {
                // It hears JSON only.
                "cline" => {
                    let answer: Value = serde_json::from_slice(&ran.stdout).unwrap_or_default();
                    answer["cancel"] != true
                        || !says_why(answer["errorMessage"].as_str().unwrap_or_default().as_bytes())
                }
                _ => ran.status.code() != Some(2) || !says_why(&ran.stderr) || !ran.stdout.is_empty(),
            });
        }
    }
}

#[test]
fn the_end_of_a_turn_is_let_through_when_nobody_answers_and_the_agent_is_told() {
    for program in [Some(HANGS), Some(KILLED), None] {
        let set_up = SetUp::new("gemini", ".gemini/settings.json", program);
        // One agent takes every code above 1 for "go on".
        set_up.everywhere(set_up.stop.as_deref().unwrap(), |ran| {
            ran.status.code() != Some(1) || !says_why(&ran.stderr)
        });
    }
}

#[test]
fn an_answer_comes_through_as_it_is_given() {
    for (exit, said) in [(0, "{\"event\"}"), (2, "not today")] {
        // It has to get the event, too.
        let program = format!("#!/bin/sh\nread event\necho \"$event\"\necho '{said}' >&2\nexit {exit}\n");
        let set_up = SetUp::new("codex", ".codex/hooks.json", Some(&program));
        for command in [&set_up.call, set_up.stop.as_ref().unwrap()] {
            set_up.everywhere(command, |ran| {
                ran.status.code() != Some(exit)
                    || ran.stdout != b"{\"an\": \"event\"}\n"
                    || ran.stderr != format!("{said}\n").as_bytes()
            });
        }
    }
}

#[test]
fn an_answer_in_json_keeps_its_escapes_in_every_shell() {
    let said = r#"{"cancel":true,"errorMessage":"one\ntwo \\ \"three\" %s é"}"#;
    let program = format!("#!/bin/sh\ncat >/dev/null\ncat <<'END'\n{said}\nEND\n");
    let set_up = SetUp::new("cline", "Documents/Cline/Hooks/PreToolUse", Some(&program));
    set_up.everywhere(&set_up.call, |ran| {
        ran.status.code() != Some(0) || ran.stdout != format!("{said}\n").as_bytes() || !ran.stderr.is_empty()
    });
}

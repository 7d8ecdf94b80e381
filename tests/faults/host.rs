//! The faults of the host: they block whatever `onFailure` says, or are in the way of nothing.

use crate::fault::{Fault, Means, Ready, config, configured, guard, guest, healthy, nothing, with};
use hookbox_tests::{Place, Ran, children, end, start};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

fn fault(
    name: &str,
    says: &'static str,
    prepare: impl Fn(&Place) -> Result<Ready, String> + Send + Sync + 'static,
    run: impl Fn(&Place, &Ready, &Value) -> Ran + Send + Sync + 'static,
) -> Fault {
    Fault {
        name: name.into(),
        means: Means::Block,
        says,
        prepare: Box::new(prepare),
        run: Box::new(run),
        tidy: nothing,
    }
}

/// A fault of what stands in the configuration.
fn entry(name: &str, says: &'static str, entry: impl Fn(&Place) -> Value + Send + Sync + 'static) -> Fault {
    let prepare = move |place: &Place| {
        let mut ready = guard(place);
        ready.plugins = json!({ "guard": entry(place) });
        ready.signers = json!({ "acme": { "minisign": KEY } });
        Ok(ready)
    };
    fault(name, says, prepare, healthy)
}

/// The public key of minisign's own manual.
pub(crate) const KEY: &str = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";
/// A signature that is well formed, of another file.
pub(crate) const SIGNATURE: &str = "untrusted comment: signature from minisign secret key\n\
    RUQf6LRCGA9i559r3g7V1qNyJDApGip8MfqcadIgT9CuhV3EMhHoN1mGTkUidF/z7SrlQgXdy8ofjb7bNJJylDOocrCo8KLzZwo=\n\
    trusted comment: timestamp:1556193335\tfile:test\n\
    y/rUw2y8/hOUYjZU71eHp/Wo1KZ40fGy2VJEDl34XMJM+TX48Ss/17u3IvIfbVR1FkZZSNCisQbuQY+bHwhEBg==\n";

/// A fault of what comes on stdin; the event's text is made into it.
fn stdin(name: &str, says: &'static str, make: fn(&str) -> Vec<u8>) -> Fault {
    fault(
        name,
        says,
        |place| Ok(guard(place)),
        move |place, ready, event| {
            configured(place, ready, event);
            place.end(place.command(&["run"]), &make(&event.to_string()))
        },
    )
}

/// A fault of the prepared plugin in the cache, which is there from a run before.
fn cache(name: &str, means: Means, says: &'static str, harm: fn(&PathBuf) -> Result<(), String>) -> Fault {
    let run = move |place: &Place, ready: &Ready, event: &Value| {
        let folder = place.path("home/.cache/hookbox/prepared");
        let _ = fs::remove_dir_all(&folder);
        healthy(place, ready, event);
        harm(&folder).expect("the harm");
        let ran = place.run(event);
        let _ = fs::remove_dir_all(&folder);
        ran
    };
    Fault {
        means,
        ..fault(name, says, |place| Ok(guard(place)), run)
    }
}

fn compiled(folder: &PathBuf) -> Vec<PathBuf> {
    let files = fs::read_dir(folder)
        .expect("the cache")
        .map(|file| file.expect("a file").path());
    files
        .filter(|file| file.extension().is_some_and(|ending| ending == "cwasm"))
        .collect()
}

fn each(folder: &PathBuf, harm: impl Fn(&PathBuf)) -> Result<(), String> {
    let files = compiled(folder);
    assert!(!files.is_empty(), "nothing was cached");
    files.iter().for_each(harm);
    Ok(())
}

fn root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|me| std::os::unix::fs::MetadataExt::uid(&me) == 0)
}

pub(crate) fn all() -> Vec<Fault> {
    let mut faults = vec![
        entry(
            "plugin is missing",
            "No such file",
            |place| json!({ "source": place.path("nowhere.wasm") }),
        ),
        entry(
            "plugin is altered",
            "its digest is",
            |place| json!({ "source": place.path("guard.wasm"), "digest": format!("sha256:{}", "0".repeat(64)) }),
        ),
        entry(
            "plugin is not signed",
            "its signature",
            |place| json!({ "source": place.path("guard.wasm"), "signer": "acme" }),
        ),
        entry("plugin is wrongly signed", "does not verify", |place| {
            place.write("guard.wasm.minisig", SIGNATURE);
            json!({ "source": place.path("guard.wasm"), "signer": "acme" })
        }),
        entry(
            "plugin speaks another version",
            "exports no",
            |place| json!({ "source": place.write("empty.wasm", wat::parse_str("(component)").expect("a component")) }),
        ),
        entry(
            "plugin is no component",
            "not a WebAssembly component",
            |place| json!({ "source": place.write("text.wasm", "hello") }),
        ),
        entry(
            "plugin is a folder",
            "not a regular file",
            |place| json!({ "source": place.project() }),
        ),
        entry("plugin wants a grant", "was not granted", |place| {
            let wasm = guest(
                r#"(import "hookbox:hook/clock@0.1.0" "now" (func $now (result i64)))
                (func $handle (param i32) (result i32) (drop (call $now)) (call $allow))"#,
            );
            json!({ "source": place.write("clock.wasm", wasm) })
        }),
        entry(
            "plugin is of an unknown source",
            "unknown source",
            |_| json!({ "source": "ftp://example.com/x.wasm" }),
        ),
        entry("settings are refused", "settings: hello", |place| {
            let wasm = guest(
                "(func $configure (param i32 i32) (result i32) (i32.store8 (i32.const 256) (i32.const 1))
                (i32.store (i32.const 260) (i32.const 32)) (i32.store (i32.const 264) (i32.const 5)) (i32.const 256))",
            );
            json!({ "source": place.write("settings.wasm", wasm) })
        }),
        Fault {
            means: Means::Unknown,
            ..stdin("stdin is empty", "is empty", |_| Vec::new())
        },
        stdin("stdin is no JSON", "is not JSON", |event| {
            format!("{event}}}").into_bytes()
        }),
        stdin("stdin is no UTF-8", "is not UTF-8", |event| {
            [event.as_bytes(), b"\xff"].concat()
        }),
        stdin("stdin is cut short", "is not JSON", |event| {
            event.as_bytes()[..event.len() - 1].to_vec()
        }),
        stdin("stdin has 17 MiB", "has more than", |event| {
            let more = " ".repeat(17 << 20);
            format!("{}{more}}}", &event[..event.len() - 1]).into_bytes()
        }),
        configuration("configuration is no JSON", "cannot be used", |path, text| {
            fs::write(path, &text[1..])
        }),
        configuration("configuration is no UTF-8", "not UTF-8", |path, _| {
            fs::write(path, b"\xff\xfe")
        }),
        configuration("configuration is a folder", "cannot be read", |path, _| {
            fs::create_dir(path)
        }),
        configuration("configuration is a pipe", "not a regular file", |path, _| {
            Command::new("mkfifo").arg(path).status().map(drop)
        }),
        configuration("configuration has 9 MiB", "has more than", |path, text| {
            fs::write(path, format!("{text}{}", " ".repeat(9 << 20)))
        }),
        configuration("configuration is a link to itself", "cannot be read", |path, _| {
            symlink(path, path)
        }),
        fault(
            "no home",
            "there is no home directory",
            |place| Ok(guard(place)),
            |place, ready, event| {
                configured(place, ready, event);
                let mut command = place.command(&["run"]);
                command.env_remove("HOME");
                place.end(command, event.to_string().as_bytes())
            },
        ),
        fault(
            "home lies in the project",
            "a folder of the project",
            |place| Ok(guard(place)),
            |place, ready, event| {
                configured(place, ready, event);
                let mut command = place.command(&["run"]);
                command.env("XDG_CONFIG_HOME", place.project().join(".config"));
                place.end(command, event.to_string().as_bytes())
            },
        ),
        fault(
            "unknown agent",
            "no agent is called",
            |place| Ok(guard(place)),
            |place, ready, event| {
                configured(place, ready, event);
                place.end(
                    place.command(&["run", "--agent", "nobody"]),
                    event.to_string().as_bytes(),
                )
            },
        ),
        fault(
            "hookbox panics",
            "internal error",
            |place| Ok(guard(place)),
            |place, ready, event| panics(place, ready, event, "engine"),
        ),
        fault(
            "hookbox panics in a handler's thread",
            "internal error",
            |place| Ok(guard(place)),
            |place, ready, event| panics(place, ready, event, "handler"),
        ),
        fault(
            "the child that compiles is killed",
            "was killed by signal 9",
            slow_to_compile,
            kill_the_child,
        ),
        fault(
            "plugin is removed after it was prepared",
            "No such file",
            |place| Ok(guard(place)),
            |place, ready, event| {
                place.write("guard.wasm", guest(""));
                healthy(place, ready, event);
                fs::remove_file(place.path("guard.wasm")).expect("it was there");
                place.run(event)
            },
        ),
        fault(
            "plugin is replaced after it was prepared",
            "its digest is",
            pinned,
            |place, ready, event| {
                place.write("guard.wasm", guest(""));
                healthy(place, ready, event);
                place.write(
                    "guard.wasm",
                    guest("(func $handle (param i32) (result i32) (call $allow))"),
                );
                place.run(event)
            },
        ),
        cache(
            "cache can be written by others",
            Means::Block,
            "can be read or written by others",
            |folder| fs::set_permissions(folder, fs::Permissions::from_mode(0o777)).map_err(|error| error.to_string()),
        ),
        cache("cache is a link", Means::Block, "is not a folder", |folder| {
            let real = folder.with_extension("real");
            let _ = fs::remove_dir_all(&real);
            fs::rename(folder, &real)
                .and_then(|()| symlink(&real, folder))
                .map_err(|error| error.to_string())
        }),
        cache(
            "prepared plugin can be written by others",
            Means::Block,
            "can be written by others",
            |folder| {
                each(folder, |file| {
                    fs::set_permissions(file, fs::Permissions::from_mode(0o666)).expect("mode")
                })
            },
        ),
        cache(
            "prepared plugin has a second name",
            Means::Block,
            "hard link",
            |folder| {
                each(folder, |file| {
                    fs::hard_link(file, folder.join("../second"))
                        .or_else(|_| {
                            fs::remove_file(folder.join("../second"))
                                .and_then(|()| fs::hard_link(file, folder.join("../second")))
                        })
                        .expect("a link")
                })
            },
        ),
        cache("prepared plugin is a link", Means::Block, "cache", |folder| {
            each(folder, |file| {
                let real = folder.join("real");
                fs::rename(file, &real)
                    .and_then(|()| symlink(&real, file))
                    .expect("a link");
            })
        }),
        cache("prepared plugin is cut short", Means::Judged, "", |folder| {
            each(folder, |file| {
                let bytes = fs::read(file).expect("it");
                fs::write(file, &bytes[..bytes.len() / 2]).expect("half of it");
            })
        }),
        cache("prepared plugin is empty", Means::Judged, "", |folder| {
            each(folder, |file| fs::write(file, b"").expect("nothing"))
        }),
        cache("prepared plugin is of another version", Means::Judged, "", |folder| {
            each(folder, |file| {
                let mut bytes = fs::read(file).expect("it");
                // A byte of wasmtime's format, the length of its version, its version.
                let at = bytes.windows(4).position(|at| at == b"\0\x0248").expect("its version");
                bytes[at + 3] = b'7';
                fs::write(file, bytes).expect("another version");
            })
        }),
        Fault {
            means: Means::Judged,
            ..fault(
                "home cannot be written",
                "",
                |place| Ok(guard(place)),
                |place, ready, event| {
                    let file = place.write("given.json", config(ready, event).to_string());
                    let mut command = place.command(&["run", "--config"]);
                    command.arg(file).env("HOME", "/proc/1");
                    place.end(command, event.to_string().as_bytes())
                },
            )
        },
        Fault {
            means: Means::Judged,
            ..fault(
                "audit cannot be written",
                "",
                |place| Ok(guard(place)),
                |place, ready, event| {
                    configured(place, ready, event);
                    let state = place.path("full/hookbox");
                    fs::create_dir_all(&state).expect("a folder");
                    let _ = symlink("/dev/full", state.join("audit.jsonl"));
                    let mut command = place.command(&["run"]);
                    command.env("XDG_STATE_HOME", place.path("full"));
                    place.end(command, event.to_string().as_bytes())
                },
            )
        },
        Fault {
            means: Means::Judged,
            tidy: unmount,
            ..fault("disk is full", "", full_disk, |place, ready, event| {
                configured(place, ready, event);
                let mut command = place.command(&["run"]);
                command.env("XDG_CACHE_HOME", place.path("full"));
                place.end(command, event.to_string().as_bytes())
            })
        },
    ];
    if root() {
        faults.push(cache(
            "cache belongs to another user",
            Means::Block,
            "belongs to another user",
            |folder| std::os::unix::fs::chown(folder, Some(65_534), None).map_err(|error| error.to_string()),
        ));
        faults.push(cache(
            "prepared plugin belongs to another user",
            Means::Block,
            "belongs to another user",
            |folder| {
                each(folder, |file| {
                    std::os::unix::fs::chown(file, Some(65_534), None).expect("chown")
                })
            },
        ));
    } else {
        println!("skipped: files of another user: only root can make them");
    }
    faults
}

fn configuration(name: &str, says: &'static str, harm: fn(&PathBuf, &str) -> std::io::Result<()>) -> Fault {
    fault(
        name,
        says,
        |place| Ok(guard(place)),
        move |place, ready, event| {
            let path = configured(place, ready, event);
            fs::remove_file(&path).expect("it was there");
            harm(&path, &config(ready, event).to_string()).expect("the harm");
            let ran = place.run(event);
            let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir(&path));
            ran
        },
    )
}

fn pinned(place: &Place) -> Result<Ready, String> {
    let mut ready = guard(place);
    let sum = Command::new("sha256sum")
        .arg(place.path("guard.wasm"))
        .output()
        .map_err(|error| error.to_string())?;
    let sum = String::from_utf8_lossy(&sum.stdout);
    let digest = sum.split_whitespace().next().ok_or("sha256sum is missing")?;
    ready.plugins["guard"]["digest"] = json!(format!("sha256:{digest}"));
    Ok(ready)
}

/// A plugin whose compilation takes long enough to be killed in it.
fn slow_to_compile(place: &Place) -> Result<Ready, String> {
    let functions: String = (0..20_000)
        .map(|at| format!("(func (param i32) (result i32) (i32.mul (local.get 0) (i32.const {at})))"))
        .collect();
    let file = place.write("slow.wasm", guest(&functions));
    Ok(with(
        json!({ "type": "wasm", "plugin": "slow", "onFailure": "continue", "timeout": 60 }),
        &json!({ "slow": { "source": file } }),
    ))
}

fn panics(place: &Place, ready: &Ready, event: &Value, at: &str) -> Ran {
    configured(place, ready, event);
    let mut command = place.command(&["run"]);
    command.env("HOOKBOX_INJECT_PANIC", at);
    place.end(command, event.to_string().as_bytes())
}

fn kill_the_child(place: &Place, ready: &Ready, event: &Value) -> Ran {
    configured(place, ready, event);
    let _ = fs::remove_dir_all(place.path("home/.cache/hookbox/prepared"));
    let run = start(place.command(&["run"]));
    let hookbox = run.id();
    let killer = std::thread::spawn(move || kill(hookbox, "__prepare"));
    let ran = end(run, event.to_string().as_bytes());
    killer.join().expect("the killer");
    ran
}

/// Kills the child of a process that has this argument, as soon as there is one.
pub(crate) fn kill(parent: u32, argument: &str) {
    for _ in 0..60_000 {
        let found = children(parent).into_iter().find(|child| {
            fs::read_to_string(format!("/proc/{child}/cmdline"))
                .is_ok_and(|line| line.split('\0').any(|word| word == argument))
        });
        if let Some(child) = found {
            let killed = Command::new("kill").args(["-9", &child.to_string()]).status();
            assert!(killed.expect("kill").success(), "it ended before it was killed");
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("there was no child to kill");
}

fn full_disk(place: &Place) -> Result<Ready, String> {
    let folder = place.path("full");
    fs::create_dir(&folder).map_err(|error| error.to_string())?;
    let mount = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=8k,mode=0700", "none"])
        .arg(&folder)
        .output();
    match mount {
        Ok(mount) if mount.status.success() => Ok(guard(place)),
        Ok(mount) => Err(format!(
            "no small disk can be mounted here: {}",
            String::from_utf8_lossy(&mount.stderr).trim()
        )),
        Err(error) => Err(format!("no small disk can be mounted here: {error}")),
    }
}

fn unmount(place: &Place) {
    let _ = Command::new("umount").arg(place.path("full")).status();
}

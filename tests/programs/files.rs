//! The grant `read` of a plain program: a folder, read-only, that is not left.

use crate::{Handler, guests};
use hookbox_tests::Place;
use serde_json::json;
use std::os::unix::fs::symlink;

/// A granted folder, and ways out of it.
fn place() -> Place {
    let place = Place::new();
    place.write("project/secret.txt", "SECRET");
    place.write("project/granted-not/secret.txt", "SECRET");
    place.write("project/granted/inside.txt", "inside");
    place.write("project/granted/sub/deep.txt", "deep");
    let granted = place.project().join("granted");
    for (target, link) in [
        ("inside.txt", "good"),
        ("../secret.txt", "link"),
        ("..", "up"),
        ("/etc/passwd", "passwd"),
        ("/proc/self/root", "root"),
        ("sub/../../secret.txt", "winding"),
        ("link", "twice"),
    ] {
        symlink(target, granted.join(link)).unwrap();
    }
    place
}

#[test]
fn a_granted_folder_is_read_and_not_left() {
    let place = place();
    let granted = place.project().join("granted");
    for (target, file) in guests() {
        let handler = Handler {
            grants: json!({ "read": ["${project}/granted"] }),
            ..Handler::of(file)
        };
        let read = |path: &str| handler.reason(&place, &format!("read {}", granted.join(path).display()));
        assert_eq!(read("inside.txt"), "read inside", "{target}");
        assert_eq!(read("sub/deep.txt"), "read deep", "{target}");
        assert_eq!(read("sub/../inside.txt"), "read inside", "{target}");
        assert_eq!(read("good"), "read inside", "{target}");
        for path in [
            "link",
            "link/",
            "twice",
            "winding",
            "up/secret.txt",
            "../secret.txt",
            "../granted-not/secret.txt",
            "sub/../../secret.txt",
            "sub/../../granted/../secret.txt",
            "passwd",
            "passwd/",
            "root/etc/passwd",
            "/etc/passwd",
            "/proc/self/environ",
            "missing",
        ] {
            let said = read(path);
            assert!(said.starts_with("not read: "), "{target} {path}: {said}");
        }
        assert!(
            handler.reason(&place, "read inside.txt").starts_with("not read: "),
            "{target}: no current directory"
        );
        for path in ["..", "up", "root", "/"] {
            let said = handler.reason(&place, &format!("list {}", granted.join(path).display()));
            assert!(said.starts_with("not listed: "), "{target} {path}: {said}");
        }
        let listed = handler.reason(&place, &format!("list {}", granted.display()));
        assert_eq!(
            listed, "good,inside.txt,link,passwd,root,sub,twice,up,winding",
            "{target}"
        );
    }
}

#[test]
fn a_granted_folder_is_not_changed() {
    let place = place();
    let inside = place.project().join("granted/inside.txt");
    for (target, file) in guests() {
        let handler = Handler {
            grants: json!({ "read": ["${project}/granted"] }),
            ..Handler::of(file)
        };
        let said = handler.reason(&place, &format!("write {}", inside.display()));
        assert_eq!(said, "[false, false, false, false, false, false, false]", "{target}");
        assert_eq!(std::fs::read_to_string(&inside).unwrap(), "inside", "{target}");
        assert_eq!(
            std::fs::read_dir(inside.parent().unwrap()).unwrap().count(),
            9,
            "{target}"
        );
    }
}

#[test]
fn without_the_grant_there_are_no_folders() {
    let place = place();
    let inside = place.project().join("granted/inside.txt");
    for (target, file) in guests() {
        for grants in [
            json!({}),
            json!({ "stat": ["${project}/granted"] }),
            json!({ "read": ["${project}/missing"] }),
        ] {
            let handler = Handler {
                grants,
                ..Handler::of(file)
            };
            let said = handler.reason(&place, &format!("read {}", inside.display()));
            assert!(said.starts_with("not read: "), "{target}: {said}");
        }
    }
}

#[test]
fn a_file_alone_cannot_be_granted() {
    let place = place();
    for (target, file) in guests() {
        let handler = Handler {
            grants: json!({ "read": ["${project}/granted/inside.txt"] }),
            ..Handler::of(file)
        };
        let (kind, message) = handler.failure(&place, "nothing");
        assert_eq!(kind, "NotLoaded", "{target}");
        assert!(
            message.contains("inside.txt\" is a file: a plain program can be granted folders alone"),
            "{message}"
        );
    }
}

#[test]
fn a_pipe_in_a_granted_folder_keeps_nobody_waiting() {
    let place = place();
    let pipe = place.project().join("granted/pipe");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    for (target, file) in guests() {
        let handler = Handler {
            grants: json!({ "read": ["${project}/granted"] }),
            timeout: 0.2,
            ..Handler::of(file)
        };
        let (kind, message) = handler.failure(&place, &format!("read {}", pipe.display()));
        assert_eq!(kind, "TimedOut", "{target}: {message}");
    }
}

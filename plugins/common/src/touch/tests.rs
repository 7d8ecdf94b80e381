//! Tests of `touch`: a command, and every file that it touches.

use super::{Access, touches, unread};
use hookbox_sdk::{Basic, test::TestHost};
use serde_json::Value;

/// `read .env, write out` of everything that a line touches.
fn told(line: &str) -> String {
    let analysis = TestHost::new(Value::Null).analyze(line, "bash");
    let mut words: Vec<String> = Vec::new();
    for touch in analysis.commands.iter().flat_map(touches) {
        let access = match touch.access {
            Access::Read => "read",
            Access::Copy => "copy",
            Access::Send => "send",
            Access::Write => "write",
            Access::Make => "make",
            Access::Change => "change",
            Access::Delete => "delete",
        };
        words.push(format!("{access} {}", touch.path.text));
    }
    words.join(", ")
}

#[test]
fn operands_options_and_redirections_are_files() {
    for (line, expected) in [
        ("cat a b", "read a, read b"),
        ("od -c a", "read a"),
        ("xxd -l 16 a", "read a"),
        ("vim a", "read a, write a"),
        ("head -n 3 a", "read a"),
        ("grep -e x -e y a", "read a"),
        ("grep x a b", "read a, read b"),
        ("grep -f list a", "read list, read a"),
        ("sed -n 1p a", "read a"),
        ("sed -i s/a/b/ a", "write a"),
        ("sed -i.bak -e s/a/b/ a", "write a"),
        ("sed 's/x/y/w out' a", "read a, write out"),
        ("awk '{print $1}' a", "read a"),
        ("perl -i -pe s/a/b/ a", "write a"),
        ("perl -ne print a", "read a"),
        ("sort -o out a", "write out, read a"),
        ("cat < a > b 2>> c", "read a, write b, write c"),
        ("make 2>&1 > b", "write b"),
        ("tee -a a", "write a"),
        ("dd if=a of=b bs=1", "read a, write b"),
        ("truncate -s 0 a", "write a"),
        ("touch a && mkdir -p b", "make a, make b"),
        ("chmod 644 a", "change a"),
        ("chmod -x a", "change a"),
        ("chown me a", "change a"),
        ("rm -rf a -- -b", "delete a, delete -b"),
        ("find a b -name x -delete", "delete a, delete b"),
    ] {
        assert_eq!(told(line), expected, "{line}");
    }
}

#[test]
fn copies_have_sources_and_a_target() {
    for (line, expected) in [
        ("cp a b", "copy a, write b"),
        ("cp -t dir a b", "copy a, copy b, write dir"),
        ("mv a b", "copy a, delete a, write b"),
        ("install -m 755 a b", "copy a, write b"),
        ("ln -s a b", "copy a, write b"),
        ("rsync -a --exclude x a host:b", "send a"),
        ("rsync -a host:a b", "read a, write b"),
        ("scp -i key a user@host:b", "send a"),
        ("tar czf out a b", "copy a, copy b, write out"),
        ("tar -x -f a -C dir", "write dir"),
        ("tar xf a", "write ."),
        ("zip -r out a", "write out, copy a"),
        ("unzip a -d dir", "write dir"),
        ("docker cp app:/a b", "copy /a, write b"),
        ("aws s3 cp a s3://b/c", "send a"),
        ("aws s3 cp s3://b/c a", "write a"),
    ] {
        assert_eq!(told(line), expected, "{line}");
    }
}

#[test]
fn clients_send_and_save() {
    for (line, expected) in [
        ("curl https://x.example", ""),
        ("curl -o a https://x.example", "write a"),
        ("curl -d @a https://x.example", "send a"),
        ("curl -F f=@a https://x.example", "send a"),
        ("curl -F 'f=@a;type=x' https://x.example", "send a"),
        ("curl -H 'A: b@c' https://x.example", ""),
        ("curl -T '{a,b}' https://x.example", "send a, send b"),
        ("curl file:///a", "read file:///a"),
        ("wget -O a https://x.example", "write a"),
        ("wget --post-file=a https://x.example", "send a"),
        ("http POST x.example f@a", "send a"),
        ("gh gist create a", "send a"),
        ("gh pr create --body-file a", "send a"),
    ] {
        assert_eq!(told(line), expected, "{line}");
    }
}

#[test]
fn git_shows_keeps_and_removes() {
    for (line, expected) in [
        ("git show HEAD:a", "read a"),
        ("git -C x diff -- a", "read a"),
        ("git log -p -- a", "read a"),
        ("git log -- a", ""),
        ("git add a", "copy a"),
        ("git commit -m a", ""),
        ("git rm a", "delete a"),
        ("git rm --cached a", ""),
        ("git archive -o out HEAD", "copy HEAD, write out"),
    ] {
        assert_eq!(told(line), expected, "{line}");
    }
}

#[test]
fn text_is_no_file() {
    for line in [
        "echo a",
        "printf '%s' a",
        "test -f a",
        "[ -f a ]",
        "ls a",
        "stat a",
        "wc -l a",
        "sha256sum a",
        "true # cat a",
    ] {
        assert_eq!(told(line), "", "{line}");
    }
}

#[test]
fn what_was_not_understood_is_what_no_command_holds() {
    let analysis = TestHost::new(Value::Null).analyze("cat first.txt", "bash");
    let words: Vec<&str> = unread("cat first.txt; ((( cat second.txt", &analysis.commands).collect();
    assert_eq!(words, ["second.txt"]);
}

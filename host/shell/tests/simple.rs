//! What `if` rules see of a command.

use hookbox_shell::simple_commands;

/// A command and its simple commands, one a line.
const SEEN: &[(&str, &[&str])] = &[
    ("cargo test", &["cargo test"]),
    ("cargo   test   --all", &["cargo test --all"]),
    ("A=1 B='x y' cargo test", &["cargo test"]),
    ("'cargo' \"test\" --fe\\atures=a\\\n,b", &["cargo test --features=a,b"]),
    ("\\cargo test", &["cargo test"]),
    (
        "cargo fmt && cargo test || exit 1; make | tee log & wait",
        &["cargo fmt", "cargo test", "exit 1", "make", "tee log", "wait"],
    ),
    ("(cargo test)", &["cargo test"]),
    ("! cargo test", &["cargo test"]),
    (
        "if cargo build; then cargo test; else make; fi",
        &["cargo build", "cargo test", "make"],
    ),
    ("while true; do cargo test; done", &["true", "cargo test"]),
    ("[[ -f a ]] && cargo test >out 2>&1 </dev/null", &["cargo test"]),
    ("time cargo test", &["time cargo test"]),
    ("timeout 9 cargo test", &["timeout 9 cargo test"]),
    ("xargs cargo test", &["cargo test", "xargs cargo test"]),
    ("xargs -n1 cargo test", &["xargs -n1 cargo test"]),
    ("# cargo test", &[]),
    ("X=1", &[]),
    ("echo $((1 + 2)) ~ *.rs \"$HOME\"", &["echo $((1 + 2)) ~ *.rs $HOME"]),
    ("cat <<< text", &["cat"]),
    ("cat <<'EOF'\n$(cargo test)\nEOF", &["cat"]),
    ("export A=b", &["export A=b"]),
    ("echo 'not closed", &["echo not closed"]),
];

#[test]
fn words_are_joined_without_quotes_assignments_and_redirections() {
    for (command, expected) in SEEN {
        let simple = simple_commands(command);
        assert_eq!(simple.commands, *expected, "{command}");
        assert!(
            !simple.too_complex && !simple.has_substitution_or_unknown_var,
            "{command}"
        );
    }
}

#[test]
fn what_stands_in_a_substitution_is_a_command_too() {
    for command in ["echo $(rm -rf x)", "echo \"a $(rm -rf x)\"", "echo `rm -rf x`"] {
        let simple = simple_commands(command);
        assert!(simple.commands.contains(&"rm -rf x".to_owned()), "{command}");
        assert!(simple.has_substitution_or_unknown_var, "{command}");
    }
    let assigned = simple_commands("A=$(rm -rf x) make");
    assert_eq!(assigned.commands, ["rm -rf x", "make"]);
    assert!(
        !assigned.has_substitution_or_unknown_var,
        "an assignment is no argument"
    );
}

#[test]
fn an_unquoted_unknown_variable_is_flagged() {
    for command in [
        "echo $X",
        "ls $1",
        "echo $?",
        "echo ${X}",
        "for f in a b; do cat $f; done",
    ] {
        let simple = simple_commands(command);
        assert!(
            simple.has_substitution_or_unknown_var && !simple.too_complex,
            "{command}"
        );
    }
}

#[test]
fn what_is_outside_the_small_grammar_is_too_complex() {
    let long = format!("echo {}", "a".repeat(10_000));
    for command in [
        "{ make; }",
        "f() { make; }; f",
        "case a in a) make;; esac",
        "select a in b; do make; done",
        "cat <(make)",
        "cat <<EOF\nx\nEOF",
        "echo ${x:-$(make)}",
        "(cd x; make)",
        "echo {a,b}",
        "echo $'a'",
        "((a = 1))",
        "echo \"$X\"",
        "echo $PWD/x",
        "A=$X make",
        "make > $X",
        "$X test",
        "$(echo make) test",
        "echo `echo \\`make\\``",
        "a=(b c)",
        "echo ${x#y}",
        "echo $((x[$(make)]))",
        "coproc make",
        "make )",
        &long,
    ] {
        assert!(simple_commands(command).too_complex, "{command}");
    }
}

#[test]
fn depth_changes_no_verdict() {
    let nested = format!("{}make{}", "$(".repeat(20), ")".repeat(20));
    assert!(simple_commands(&format!("echo {nested}")).has_substitution_or_unknown_var);
    assert!(simple_commands(&format!("echo {}", "(".repeat(5_000))).too_complex);
    assert_eq!(simple_commands(&vec!["make"; 300].join(" && ")).commands.len(), 300);
    assert!(simple_commands(&vec!["m"; 2_000].join("|")).too_complex);
}

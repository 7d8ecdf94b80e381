//! What holds for any text: an answer comes, in bounded size, the same every time.

use hookbox_shell::{Analysis, analyze, simple_commands};
use proptest::prelude::*;

/// Pieces that shells give a meaning to, so that random lines are not all words.
const PIECES: &[&str] = &[
    "rm",
    "-rf",
    "x",
    " ",
    " ",
    " ",
    "\n",
    ";",
    "&&",
    "||",
    "|",
    "&",
    "(",
    ")",
    "{",
    "}",
    "$(",
    "`",
    "\"",
    "'",
    "$'",
    "\\",
    "<<EOF\n",
    "EOF\n",
    "<<<",
    ">",
    "<(",
    ">(",
    "$((",
    "((",
    "))",
    "[[",
    "]]",
    "${x:-",
    "${x#",
    "$x",
    "x=",
    "x+=",
    "*",
    "{a,b}",
    "{1..9}",
    "~",
    "#",
    "if ",
    "then ",
    "fi",
    "for i in ",
    "do ",
    "done",
    "while ",
    "case ",
    " in ",
    ";;",
    "esac",
    "f()",
    "eval ",
    "sh -c ",
    "xargs ",
    "find . -exec ",
    "sudo ",
    "env ",
    "python -c ",
    "é",
    "\r\n",
    "\0",
];

fn lines() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..60).prop_map(|pieces| pieces.concat())
}

fn size(analysis: &Analysis) -> usize {
    analysis
        .commands
        .iter()
        .map(|command| 1 + command.argv.iter().map(|word| word.text.len()).sum::<usize>())
        .sum()
}

fn holds(text: &str) {
    for shell in ["bash", "powershell", "cmd"] {
        let analysis = analyze(text, shell);
        assert!(
            analysis.commands.iter().all(|command| !command.argv.is_empty()),
            "an empty command: {text:?}"
        );
        assert!(size(&analysis) <= 2 * 1024 * 1024, "too much: {text:?}");
        assert_eq!(analysis, analyze(text, shell), "another answer: {text:?}");
    }
    assert_eq!(simple_commands(text), simple_commands(text));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_line_of_shell_pieces_is_answered(line in lines()) {
        holds(&line);
    }

    #[test]
    fn any_text_is_answered(text in ".{0,200}") {
        holds(&text);
    }

    #[test]
    fn a_plain_command_is_itself(words in prop::collection::vec("[a-z][a-z0-9./_-]{0,8}", 1..6)) {
        // Names that are none of a wrapper, a builtin or a keyword.
        let argv: Vec<String> = std::iter::once("program-of-mine".to_owned()).chain(words).collect();
        let analysis = analyze(&argv.join(" "), "bash");
        assert!(analysis.complete);
        let texts: Vec<&str> = analysis.commands[0].argv.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(texts, argv);
    }

    #[test]
    fn quoting_a_word_changes_nothing(word in "[ -~]{1,20}") {
        let quoted = format!("program-of-mine '{}'", word.replace('\'', "'\\''"));
        let analysis = analyze(&quoted, "bash");
        assert!(analysis.complete, "{quoted}");
        assert_eq!(analysis.commands[0].argv[1].text, word);
        assert!(analysis.commands[0].argv[1].known && !analysis.commands[0].argv[1].glob);
    }
}

#[test]
fn hostile_sizes_and_depths_end_soon_and_are_not_called_complete() {
    let nest = |open: &str, close: &str, count: usize| format!("{}rm x{}", open.repeat(count), close.repeat(count));
    let mut shells = String::from("rm x");
    for _ in 0..12 {
        shells = format!("sh -c '{}'", shells.replace('\'', "'\\''"));
        if shells.len() > 15_000 {
            break;
        }
    }
    let hostile = [
        nest("(", ")", 3_000),
        nest("$(", ")", 3_000),
        nest("{ ", "; }", 2_000),
        nest("if ", "; then :; fi", 900),
        nest("${x:-", "}", 2_000),
        nest("`", "`", 5_000),
        "((((".repeat(3_000),
        "[[ ! ".repeat(2_500),
        "{a,b}".repeat(3_000),
        "{".repeat(16_000),
        format!("echo {}", "{1..99}".repeat(50)),
        "a=xxxxxxxxxx; ".to_owned() + &"a=$a$a; ".repeat(1_000) + "$a",
        "f() { f; f; f; }; f; ".repeat(50),
        format!("eval {}", "eval ".repeat(2_000)),
        "x=$y; y=$x; ".repeat(500) + "$x",
        "if a; then X=1; else X=2; fi; ".repeat(200) + "$X $Y",
        "a && ".repeat(1_500) + "rm x",
        "a | ".repeat(1_500) + "rm x",
        "for i in 1 2 3 4 5 6 7 8; do ".repeat(30) + "rm x" + &"; done".repeat(30),
        "alias a='a a a a'\n".repeat(100) + "a a a",
        "cat <<A\n".repeat(1_500),
        "rm x\n".repeat(20_000),
        "'".repeat(15_999),
        "\\".repeat(16_000),
        format!("python -c '{}'", "exec(\"".repeat(1_000)),
        shells,
    ];
    for line in hostile {
        assert!(size(&analyze(&line, "bash")) <= 2 * 1024 * 1024);
        simple_commands(&line);
    }
    assert!(!analyze(&"a ".repeat(10_000), "bash").complete);
    assert!(!analyze(&nest("(", ")", 3_000), "bash").complete);
}

#[test]
fn text_beyond_the_cap_is_still_seen() {
    let long = format!(
        "{}\nrm -rf /srv\n",
        "echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n".repeat(600)
    );
    let analysis = analyze(&long, "bash");
    assert!(!analysis.complete);
    assert!(analysis.commands.iter().any(|command| command.argv[0].text == "rm"));
}

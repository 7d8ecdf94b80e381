//! Command lines and what they run: the rows of `programs.txt`.

use hookbox_shell::{Analysis, Word, analyze};

const ROWS: &str = include_str!("programs.txt");

#[test]
fn every_row_runs_what_it_says_and_nothing_else() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for row in ROWS.split("\n$ ").skip(1) {
        let (command, expected) = row.split_once('\n').unwrap_or((row, ""));
        let expected: Vec<&str> = expected
            .lines()
            .filter_map(|line| line.strip_prefix("  "))
            .filter(|line| !line.is_empty())
            .collect();
        let told = told(&analyze(&line(command), "bash"));
        count += 1;
        if told != expected {
            wrong.push(format!(
                "$ {command}\n  expected\n    {}\n  found\n    {}",
                expected.join("\n    "),
                told.join("\n    ")
            ));
        }
    }
    assert!(count >= 250, "only {count} rows were read");
    assert!(wrong.is_empty(), "{} rows differ\n{}", wrong.len(), wrong.join("\n"));
}

/// A command line as the file spells it.
fn line(text: &str) -> String {
    let mut line = String::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match (char, char == '\\') {
            (_, true) => line.extend(chars.next().map(|next| if next == 'n' { '\n' } else { next })),
            (char, _) => line.push(char),
        }
    }
    line
}

/// An analysis as the file spells it.
fn told(analysis: &Analysis) -> Vec<String> {
    let escape = |text: &str| text.replace('\\', "\\\\").replace('\n', "\\n");
    let word = |word: &Word| {
        format!(
            "{}{}{}",
            if word.known { "" } else { "?" },
            if word.glob { "*" } else { "" },
            escape(&word.text)
        )
    };
    let mut lines: Vec<String> = analysis
        .commands
        .iter()
        .map(|command| {
            let via: Vec<String> = command.via.iter().map(|via| escape(via)).collect();
            let argv: Vec<String> = command.argv.iter().map(word).collect();
            let mut line = if via.is_empty() {
                String::new()
            } else {
                format!("{}: ", via.join(" > "))
            };
            line.push_str(&argv.join("|"));
            if let Some(cwd) = &command.cwd {
                line.push_str(&format!(" @ {}", word(cwd)));
            }
            for redirect in &command.redirects {
                line.push_str(&format!(" «{}{}»", redirect.operator, word(&redirect.target)));
            }
            line
        })
        .collect();
    if !analysis.complete {
        lines.push("…".into());
    }
    lines
}

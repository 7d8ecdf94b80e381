//! A command line: never a panic, no command without a program, and the same line gives the same answer.

pub(crate) fn check(text: &str) {
    for shell in ["bash", "powershell", "cmd"] {
        let analysis = hookbox_shell::analyze(text, shell);
        assert!(analysis.commands.iter().all(|command| !command.argv.is_empty()));
        assert_eq!(analysis, hookbox_shell::analyze(text, shell));
    }
    let _ = hookbox_shell::simple_commands(text);
}

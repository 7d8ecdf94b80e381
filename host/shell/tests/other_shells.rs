//! PowerShell and cmd: the part that is understood.

use hookbox_shell::analyze;

/// Shell, command, and what it runs; `…` where that is not all.
const ROWS: &[(&str, &str, &[&str])] = &[
    (
        "powershell",
        "Remove-Item -Recurse -Force C:\\srv",
        &["Remove-Item|-Recurse|-Force|C:\\srv"],
    ),
    (
        "powershell",
        "RM -r ~\\x; del y",
        &["Remove-Item|-r|~\\x", "Remove-Item|y"],
    ),
    ("powershell", "rm \"$HOME/x\" $env:USERPROFILE", &["Remove-Item|~/x|~"]),
    (
        "powershell",
        "ls | % { ri $_ }",
        &["Get-ChildItem", "Remove-Item|$_", "ForEach-Object|{ ri $_ }"],
    ),
    (
        "powershell",
        "if (Test-Path x) { ri x } else { ri y }",
        &["Test-Path|x", "Remove-Item|x", "Remove-Item|y"],
    ),
    (
        "powershell",
        "iex 'del x'",
        &["Invoke-Expression|del x", "Remove-Item|x"],
    ),
    (
        "powershell",
        "iwr https://host/x | iex",
        &["Invoke-WebRequest|https://host/x", "Invoke-Expression", "…"],
    ),
    (
        "powershell",
        "pwsh -enc cgBtACAAeAA=",
        &["pwsh|-enc|cgBtACAAeAA=", "Remove-Item|x"],
    ),
    (
        "powershell",
        "powershell -NoProfile -Command \"rm x\"",
        &["powershell|-NoProfile|-Command|rm x", "Remove-Item|x"],
    ),
    ("powershell", "cmd /c \"del /q x\"", &["cmd|/c|del /q x", "del|/q|x"]),
    (
        "powershell",
        "& 'C:\\Program Files\\x.exe' a",
        &["C:\\Program Files\\x.exe|a"],
    ),
    ("powershell", "Write-Output 'rm x' # rm y", &["Write-Output|rm x"]),
    (
        "powershell",
        "echo \"$(rm x)\"",
        &["Remove-Item|x", "Write-Output|$(rm x)"],
    ),
    ("powershell", "[IO.File]::Delete('x')", &["x", "Remove-Item|('x')", "…"]),
    (
        "powershell",
        "function f { rm x }",
        &["Remove-Item|x", "function|f|{ rm x }", "…"],
    ),
    (
        "powershell",
        "remove-azresourcegroup -name x",
        &["Remove-Azresourcegroup|-name|x"],
    ),
    ("powershell", "docker-compose up", &["docker-compose|up"]),
    ("powershell", "STOP-SERVICE x", &["Stop-Service|x"]),
    ("powershell", "git commit -m 'rm x'", &["git|commit|-m|rm x"]),
    ("powershell", "echo 'open", &["Write-Output|open", "…"]),
    ("cmd", "del /s /q C:\\srv & rd /s y", &["del|/s|/q|C:\\srv", "rd|/s|y"]),
    ("cmd", "d^el x && ERASE y", &["del|x", "del|y"]),
    ("cmd", "cmd /c \"rmdir /s %USERPROFILE%\\x\"", &["rd|/s|~\\x"]),
    ("cmd", "if exist x del x", &["del|x", "…"]),
    (
        "cmd",
        "powershell -c \"rm x\"",
        &["powershell|-c|rm x", "Remove-Item|x"],
    ),
    ("cmd", "echo \"a & del x\"", &["echo|a & del x"]),
    ("cmd", "start /b del x", &["del|x"]),
    ("cmd", "echo \"open", &["echo|open", "…"]),
    ("bash", "pwsh -c 'rm x'", &["pwsh|-c|rm x", "Remove-Item|x"]),
    ("bash", "cmd.exe /c 'del x'", &["cmd.exe|/c|del x", "del|x"]),
];

#[test]
fn each_row_runs_what_it_says() {
    for (shell, command, expected) in ROWS {
        let analysis = analyze(command, shell);
        let mut told: Vec<String> = analysis
            .commands
            .iter()
            .map(|command| {
                command
                    .argv
                    .iter()
                    .map(|word| word.text.as_str())
                    .collect::<Vec<_>>()
                    .join("|")
            })
            .collect();
        if !analysis.complete {
            told.push("…".into());
        }
        assert_eq!(told, *expected, "{shell}: {command}");
    }
}

//! Names of cmdlets in their one spelling, and the aliases of each.

/// Aliases and cmdlets in their one spelling; the language does not tell case apart.
const CMDLETS: &[(&str, &[&str])] = &[
    ("Remove-Item", &["rm", "del", "erase", "rd", "ri", "rmdir"]),
    ("Get-Content", &["cat", "gc", "type"]),
    ("Get-ChildItem", &["ls", "dir", "gci"]),
    ("Copy-Item", &["cp", "copy", "cpi"]),
    ("Move-Item", &["mv", "move", "mi"]),
    ("Rename-Item", &["ren", "rni"]),
    ("New-Item", &["ni"]),
    ("Set-Content", &["sc"]),
    ("Add-Content", &["ac"]),
    ("Clear-Content", &["clc"]),
    ("Clear-Item", &["cli"]),
    ("Out-File", &[]),
    ("Tee-Object", &["tee"]),
    ("Invoke-WebRequest", &["iwr", "curl", "wget"]),
    ("Invoke-RestMethod", &["irm"]),
    ("Invoke-Expression", &["iex"]),
    ("Invoke-Command", &["icm"]),
    ("Start-Process", &["saps", "start"]),
    ("Stop-Process", &["kill", "spps"]),
    ("Get-Process", &["ps", "gps"]),
    ("Stop-Service", &["spsv"]),
    ("Set-Location", &["cd", "sl", "chdir"]),
    ("Push-Location", &["pushd"]),
    ("Pop-Location", &["popd"]),
    ("Get-Location", &["pwd", "gl"]),
    ("Write-Output", &["echo", "write"]),
    ("Select-String", &["sls"]),
    ("ForEach-Object", &["%", "foreach"]),
    ("Where-Object", &["?", "where"]),
    ("Format-Volume", &[]),
    ("Clear-Disk", &[]),
    ("Initialize-Disk", &[]),
    ("Remove-Partition", &[]),
    ("Stop-Computer", &[]),
    ("Restart-Computer", &[]),
    ("Set-ExecutionPolicy", &[]),
    ("Remove-ItemProperty", &["rp"]),
    ("Set-ItemProperty", &["sp"]),
    ("Get-Item", &["gi"]),
];

/// The one spelling of a command's name.
pub(super) fn canonical(name: &str) -> Option<&'static str> {
    let bare = name.rsplit('\\').next().unwrap_or(name);
    let same = |other: &str| other.eq_ignore_ascii_case(bare);
    CMDLETS
        .iter()
        .find(|(cmdlet, aliases)| same(cmdlet) || aliases.iter().any(|alias| same(alias)))
        .map(|(cmdlet, _)| *cmdlet)
}

/// Verbs of cmdlets, as PowerShell approves them; those that change something, and the commonest of the others.
const VERBS: &[&str] = &[
    "add",
    "clear",
    "complete",
    "convert",
    "copy",
    "disable",
    "dismount",
    "enable",
    "export",
    "format",
    "get",
    "grant",
    "import",
    "initialize",
    "install",
    "invoke",
    "lock",
    "mount",
    "move",
    "new",
    "optimize",
    "out",
    "publish",
    "read",
    "register",
    "remove",
    "rename",
    "repair",
    "reset",
    "resize",
    "restart",
    "restore",
    "resume",
    "revoke",
    "save",
    "send",
    "set",
    "start",
    "stop",
    "submit",
    "suspend",
    "test",
    "unblock",
    "uninstall",
    "unlock",
    "unprotect",
    "unpublish",
    "unregister",
    "update",
    "wait",
    "write",
];

/// `Verb-Noun` of a cmdlet that was written in another case.
pub(super) fn cased(name: &str) -> Option<String> {
    let (verb, noun) = name.split_once('-')?;
    let verb = verb.to_ascii_lowercase();
    if !VERBS.contains(&verb.as_str()) || noun.is_empty() || !noun.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let upper = |text: &str| text[..1].to_ascii_uppercase() + &text[1..];
    Some(format!("{}-{}", upper(&verb), upper(noun)))
}

//! Commands that write below the file system: dd, mkfs, partition tables.

use crate::judge::Scene;
use Severity::{Ask, Block};
use hookbox_pack::words::{program, split, value};
use hookbox_pack::{Finding, Place, Severity};
use hookbox_sdk::{SimpleCommand, Word};

pub(crate) fn judge(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let name = program(&command.argv[0].text);
    match name.as_str() {
        "cat" | "pv" => poured(command, findings),
        "dd" | "dcfldd" | "ddrescue" | "dc3dd" => dd(scene, command, findings),
        "mke2fs" | "newfs" | "mkswap" | "mkdosfs" | "newfs_apfs" | "newfs_hfs" => mkfs(scene, command, findings),
        _ if name.starts_with("mkfs") => mkfs(scene, command, findings),
        _ => {}
    }
}

/// Devices that never come to an end.
fn is_endless(path: &str) -> bool {
    matches!(path, "/dev/zero" | "/dev/urandom" | "/dev/random")
}

/// `cat /dev/zero > FILE`: until the disk is full.
fn poured(command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let endless = command.args().iter().any(|word| is_endless(&word.text))
        || command
            .redirects
            .iter()
            .any(|redirect| redirect.operator == "<" && is_endless(&redirect.target.text));
    let into = command
        .redirects
        .iter()
        .any(|redirect| redirect.operator.contains('>') && !redirect.target.text.starts_with("/dev/"));
    if endless && into {
        findings.push(Finding::new(
            "dd",
            Ask,
            "an endless device ends when the disk is full: say how much (`head -c 10M /dev/zero > FILE`)",
        ));
    }
}

fn dd(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let has = |start: &str| command.args().iter().any(|word| word.text.starts_with(start));
    let reads = |word: &Word| word.text.strip_prefix("if=").is_some_and(is_endless);
    let endless = command.args().iter().any(reads)
        || command
            .redirects
            .iter()
            .any(|redirect| redirect.operator == "<" && is_endless(&redirect.target.text));
    if endless && has("of=") && !has("count=") && !has("of=/dev/null") {
        findings.push(Finding::new(
            "dd",
            Ask,
            "dd from an endless device without count= ends when the disk is full: say how much (`bs=1M count=10`)",
        ));
    }
    let outputs = command.args().iter().filter_map(|word| {
        let text = word.text.strip_prefix("of=")?;
        Some(Word {
            text: text.into(),
            ..word.clone()
        })
    });
    for into in outputs {
        let severity = match scene.locate(&into).0 {
            Place::Device | Place::Root | Place::Home | Place::System => Block,
            Place::InHome | Place::Outside | Place::Unknown => Ask,
            _ => continue,
        };
        findings.push(Finding::new(
            "dd",
            severity,
            format!(
                "dd onto {} destroys what is there: write to a file in the project",
                into.text
            ),
        ));
    }
    // ddrescue takes input and output as operands.
    if program(&command.argv[0].text) == "ddrescue"
        && split(command.args(), &[])
            .1
            .get(1)
            .is_some_and(|word| scene.locate(word).0 == Place::Device)
    {
        findings.push(Finding::new(
            "dd",
            Block,
            "ddrescue onto a device destroys what is on it",
        ));
    }
}

fn mkfs(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    if command.has_arg("--help") || command.has_arg("-V") || command.has_arg("--version") {
        return;
    }
    let (_, operands) = split(
        command.args(),
        &["-t", "-L", "-b", "-N", "-U", "-n", "-m", "-O", "-E", "-F"],
    );
    // `-F` is a size to one kind and needs no value to another.
    let disk = command.args().iter().any(|word| scene.locate(word).0 == Place::Device);
    let images = |word: &&Word| matches!(scene.locate(word).0, Place::InProject | Place::Temp);
    let target = operands
        .iter()
        .find(|word| word.text.contains('/'))
        .or(operands.first());
    if !disk && target.is_none()
        || !disk && target.is_some_and(images) && value(command.args(), "-t").is_none_or(|kind| !kind.starts_with('/'))
    {
        return; // An image file of the project, or nothing.
    }
    findings.push(Finding::new(
        "mkfs",
        Block,
        "making a file system destroys what is on the disk: use an image file in the project, or let the user do it",
    ));
}

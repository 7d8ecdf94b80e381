//! Archives and images: tar, zip, 7z, dd.

use super::{Access, Touch, parse, part, push};
use hookbox_sdk::Word;

pub(super) fn tar(args: &[Word], found: &mut Vec<Touch>) {
    // The old style: `tar czf out.tgz a b`, letters without a dash.
    let mut words: Vec<Word> = args.to_vec();
    if let Some(first) = words.first_mut()
        && !first.text.starts_with('-')
        && first.text.bytes().all(|b| b.is_ascii_alphabetic())
    {
        // Each letter that takes a value takes the next word, in order.
        let letters: Vec<char> = first.text.chars().collect();
        let mut rest = args.get(1..).unwrap_or_default().iter().cloned();
        words = Vec::new();
        for letter in letters {
            words.push(Word {
                text: format!("-{letter}"),
                known: true,
                glob: false,
            });
            if "fCTX".contains(letter) {
                words.extend(rest.next());
            }
        }
        words.extend(rest);
    }
    let long = [
        "file",
        "directory",
        "files-from",
        "exclude-from",
        "exclude",
        "transform",
        "strip-components",
        "use-compress-program",
    ];
    let parsed = parse(&words, "fCTXbHIgKNVL", &long);
    let archive = parsed.value(&["f", "file"]).cloned();
    let folder = parsed.value(&["C", "directory"]).cloned();
    if parsed.has(&["x", "extract", "get"]) {
        let here = Word {
            text: ".".into(),
            known: true,
            glob: false,
        };
        push(found, Access::Write, &folder.unwrap_or(here));
    } else if parsed.has(&["c", "create", "r", "append", "u", "update", "A"]) {
        for word in &parsed.operands {
            let joined = match &folder {
                Some(folder) if !word.text.starts_with(['/', '~']) => {
                    part(word, &format!("{}/{}", folder.text, word.text))
                }
                _ => (*word).clone(),
            };
            found.push(Touch {
                access: Access::Copy,
                path: joined,
                to: archive.as_ref().map(|word| word.text.clone()),
            });
        }
        if let Some(archive) = archive.filter(|word| word.text != "-") {
            push(found, Access::Write, &archive);
        }
    }
    if let Some(list) = parsed.value(&["T", "files-from"]) {
        push(found, Access::Read, list);
    }
}

pub(super) fn dd(args: &[Word], found: &mut Vec<Touch>) {
    for word in args {
        if let Some(path) = word.text.strip_prefix("if=") {
            push(found, Access::Read, &part(word, path));
        } else if let Some(path) = word.text.strip_prefix("of=") {
            push(found, Access::Write, &part(word, path));
        }
    }
}

pub(super) fn unpack(name: &str, args: &[Word], found: &mut Vec<Touch>) {
    if name == "unzip" {
        let parsed = parse(args, "dPx", &[]);
        if parsed.has(&["p", "c"]) {
            parsed
                .operands
                .iter()
                .skip(1)
                .for_each(|word| push(found, Access::Read, word));
        } else if let Some(folder) = parsed.value(&["d"]) {
            push(found, Access::Write, folder);
        }
        return;
    }
    let mut operands = args.iter().filter(|word| !word.text.starts_with('-'));
    match operands.next().map(|word| word.text.as_str()) {
        Some("a" | "u") => {
            let archive = operands.next();
            for word in operands {
                found.push(Touch {
                    access: Access::Copy,
                    path: word.clone(),
                    to: archive.map(|word| word.text.clone()),
                });
            }
            archive.into_iter().for_each(|word| push(found, Access::Write, word));
        }
        Some("x" | "e") => {
            for word in args {
                if let Some(folder) = word.text.strip_prefix("-o").filter(|folder| !folder.is_empty()) {
                    push(found, Access::Write, &part(word, folder));
                }
            }
        }
        _ => {}
    }
}

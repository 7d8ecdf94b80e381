//! Programs whose operands are files after a script or an expression: sed, awk, perl, ruby, find.

use super::{Access, Touch, by_option, parse, push};
use hookbox_sdk::Word;

/// `find ROOT … -delete`, `-fprint FILE`. What `-exec` runs is a command of its own.
pub(super) fn find(args: &[Word], found: &mut Vec<Touch>) {
    if args.iter().any(|word| word.text == "-delete") {
        let roots = args
            .iter()
            .take_while(|word| !word.text.starts_with('-') && word.text != "(" && word.text != "!");
        roots.for_each(|word| push(found, Access::Delete, word));
    }
    by_option(
        args,
        &[
            ("-fprint", Access::Write),
            ("-fprintf", Access::Write),
            ("-fls", Access::Write),
        ],
        found,
    );
}

/// sed, awk, perl and ruby with their script on the command line: what follows are files.
pub(super) fn stream(name: &str, args: &[Word], found: &mut Vec<Touch>) {
    let (short, script, in_place): (&str, &[&str], bool) = match name {
        "sed" | "gsed" => (
            "efl",
            &["e", "expression", "f", "file"],
            args.iter().any(|word| in_place_option(&word.text, "nEerszu")),
        ),
        "perl" | "ruby" => (
            "eEIMmFx",
            &["e", "E"],
            args.iter().any(|word| in_place_option(&word.text, "pnlaw0ECW")),
        ),
        _ => (
            "Ffvi",
            &["f", "file"],
            args.windows(2)
                .any(|pair| pair[0].text == "-i" && pair[1].text == "inplace"),
        ),
    };
    // `-i` of sed and perl may carry a suffix: it never takes the next word.
    let words: Vec<Word> = args
        .iter()
        .filter(|word| {
            !(name != "awk" && name != "gawk" && in_place_option(&word.text, "") || word.text.starts_with("--in-place"))
        })
        .cloned()
        .collect();
    let parsed = parse(&words, short, &["expression", "file", "field-separator", "assign"]);
    let is_script = matches!(name, "perl" | "ruby") && !parsed.has(script);
    if is_script {
        return;
    }
    let skip = if parsed.has(script) { 0 } else { 1 };
    let access = if in_place { Access::Write } else { Access::Read };
    parsed
        .operands
        .iter()
        .skip(skip)
        .for_each(|word| push(found, access, word));
    // `sed 'w FILE'` and `r FILE`, in their usual places.
    if matches!(name, "sed" | "gsed") {
        let scripts = parsed.operands.iter().take(skip).map(|word| word.text.as_str());
        for text in scripts.chain(parsed.value(&["e", "expression"]).map(|word| word.text.as_str())) {
            let last = text
                .trim()
                .rsplit(['/', ';', '$', '}'])
                .next()
                .unwrap_or("")
                .trim_start_matches(|c: char| c.is_ascii_digit() || c == 'g');
            if let Some(path) = last.strip_prefix("w ") {
                found.push(Touch {
                    access: Access::Write,
                    path: Word {
                        text: path.trim().into(),
                        known: true,
                        glob: false,
                    },
                    to: None,
                });
            }
        }
    }
}

/// `-i`, `-i.bak`, `-ni`, `-pi`: letters that take no value, then `i`.
fn in_place_option(text: &str, before: &str) -> bool {
    text.strip_prefix('-').is_some_and(|letters| {
        let rest = letters.trim_start_matches(|c| before.contains(c));
        rest.starts_with('i') && !rest.starts_with("in")
    }) || text == "--in-place"
        || text.starts_with("--in-place=")
}

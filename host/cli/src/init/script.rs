//! The scripts of an agent that has one file per hook, named by the event: what the user wrote into one of them since stays. Pure.

use super::SIGNATURE;
use super::entry;
use super::places::Place;

const FIRST: &str = "#!/bin/sh";

/// A script that was not there.
pub(super) fn new(command: &str) -> String {
    format!("{FIRST}\n# Written by `{SIGNATURE}`; `hookbox init --agent cline --remove` takes it out.\n{command}\n")
}

/// A script with this command in the place of the one that an earlier `init` wrote.
pub(super) fn put(place: &Place, text: &str, command: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    match lines.iter().position(|line| entry::is_ours(line, place.agent)) {
        Some(at) => lines[at] = command,
        None => lines.push(command),
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A script without hookbox's lines; none where nothing else is left.
pub(super) fn remove(place: &Place, text: &str) -> Option<String> {
    let ours = |line: &str| line.starts_with('#') && line.contains(SIGNATURE) || entry::is_ours(line, place.agent);
    if !text.lines().any(ours) {
        return Some(text.into());
    }
    let kept: Vec<&str> = text.lines().filter(|line| !ours(line)).collect();
    let anything = kept.iter().any(|line| !line.trim().is_empty() && *line != FIRST);
    anything.then(|| kept.iter().map(|line| format!("{line}\n")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::init::places;

    #[test]
    fn what_the_user_wrote_into_the_script_stays() {
        let cline = places::find("cline").unwrap();
        let (old, newer) = (
            "hookbox run --agent cline || exit 2",
            "/opt/hookbox run --agent cline || exit 2",
        );
        let script = new(old);
        assert_eq!(put(cline, &script, newer), new(newer));
        assert_eq!(remove(cline, &script), None);
        let edited = script.replace("hookbox run", "mine --first\nhookbox run");
        assert_eq!(
            put(cline, &edited, newer),
            new(newer).replace("/opt/", "mine --first\n/opt/")
        );
        assert_eq!(remove(cline, &edited), Some("#!/bin/sh\nmine --first\n".into()));
        // Not hookbox's at all.
        assert_eq!(remove(cline, "#!/bin/sh\nmine\n"), Some("#!/bin/sh\nmine\n".into()));
    }
}

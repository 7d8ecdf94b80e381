//! The tables: one file per family, one row per rule. See [`hookbox_pack::pattern`] for the patterns.

mod clouds;
mod clusters;
mod containers;
mod databases;
mod infrastructure;
mod packages;
mod services;
mod system;

use hookbox_pack::Rule;

pub(crate) const ALL: [&[Rule]; 8] = [
    clouds::RULES,
    clusters::RULES,
    containers::RULES,
    databases::RULES,
    infrastructure::RULES,
    packages::RULES,
    services::RULES,
    system::RULES,
];

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn every_rule_says_what_is_lost_and_what_to_do_instead() {
        for rule in ALL.iter().flat_map(|table| table.iter()) {
            assert!(rule.reason.contains(':'), "{}: {}", rule.id, rule.reason);
            assert!(
                rule.id.chars().all(|c| c.is_ascii_lowercase() || c == '-'),
                "{}",
                rule.id
            );
        }
    }

    #[test]
    fn every_pattern_names_its_programs_in_lower_case_and_has_no_empty_alternative() {
        for rule in ALL.iter().flat_map(|table| table.iter()) {
            for pattern in rule.pattern.split(';').map(str::trim) {
                let programs = pattern.split(' ').next().unwrap_or("");
                assert!(
                    !programs.is_empty() && !programs.starts_with(['-', '@', '!']),
                    "{}: {pattern:?}",
                    rule.id
                );
                assert_eq!(programs, programs.to_ascii_lowercase(), "{}: {pattern:?}", rule.id);
                for token in pattern.split(' ') {
                    let alternatives = token.trim_start_matches(['!', '@']).split('|');
                    assert!(
                        alternatives.clone().all(|one| !one.is_empty()),
                        "{}: {token:?} in {pattern:?}",
                        rule.id
                    );
                }
            }
        }
    }
}

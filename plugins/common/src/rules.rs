//! Tables of rules, compiled once: a lookup by program, then the few rules of that program.

use crate::finding::{Finding, Severity};
use crate::pattern::Pattern;
use crate::words::{program, sets};
use hookbox_sdk::{SimpleCommand, Word};

/// Programs that print their help wherever `--help` stands before `--`, and do nothing else; sorted.
const HELPFUL: &[&str] = &[
    "argocd",
    "az",
    "cargo",
    "cdk",
    "docker",
    "doctl",
    "eksctl",
    "firebase",
    "flux",
    "fly",
    "flyctl",
    "gcloud",
    "gh",
    "glab",
    "hcloud",
    "helm",
    "heroku",
    "istioctl",
    "kubectl",
    "minikube",
    "nerdctl",
    "netlify",
    "nomad",
    "npm",
    "oc",
    "op",
    "pnpm",
    "podman",
    "prisma",
    "pulumi",
    "rabbitmqadmin",
    "railway",
    "rclone",
    "restic",
    "stripe",
    "supabase",
    "systemctl",
    "terraform",
    "tofu",
    "vault",
    "velero",
    "vercel",
    "wrangler",
    "yarn",
];

/// Of those, the ones that refuse or obey `--dry-run`: the others hand an option they do not know to what they run, or leave
/// it out, or obey it with some verbs only; sorted.
const TRY: &[&str] = &[
    "argocd", "cargo", "eksctl", "flux", "helm", "kubectl", "oc", "rclone", "restic", "velero",
];

/// Of those, the ones that hand the words after a name on to another program.
const RUNNERS: [&str; 9] = [
    "cargo", "docker", "kubectl", "nerdctl", "npm", "oc", "pnpm", "podman", "yarn",
];

/// Options without a value, which may stand before `--help` or `--dry-run`.
const SWITCHES: &[&str] = &[
    "--all",
    "--dry-run",
    "--force",
    "--help",
    "--yes",
    "-A",
    "-f",
    "-v",
    "-y",
];

/// Whether a command only asks how it is used (`kubectl drain --help`, `aws ec2 terminate-instances help`) or what it
/// would do (`--dry-run`): a program that does not know that option refuses it.
fn only_asks(program: &str, args: &[Word]) -> bool {
    let is = |word: Option<&Word>, text: &str| word.is_some_and(|word| word.known && word.text == text);
    match program {
        "aws" => is(args.last(), "help") && !args.iter().any(|word| word.text == "--"),
        "gcloud" if is(args.first(), "help") => true,
        _ if HELPFUL.binary_search(&program).is_ok() => {
            // What follows the name of a container is the container's.
            let starts = RUNNERS.contains(&program)
                && args
                    .iter()
                    .any(|word| matches!(word.text.as_str(), "run" | "exec" | "create" | "compose"));
            // What follows an option may be its value: `-n --help` names a namespace.
            let own = |at: usize| {
                let before = at.checked_sub(1).and_then(|at| args.get(at));
                before.is_none_or(|word| !word.text.starts_with('-') || SWITCHES.contains(&word.text.as_str()))
            };
            let any = |name: &str| {
                let end = args.iter().position(|word| word.text == "--").unwrap_or(args.len());
                (0..end).any(|at| args[at].known && sets(&args[at].text, name) && own(at))
            };
            let tries = TRY.binary_search(&program).is_ok()
                && any("--dry-run")
                && !args
                    .iter()
                    .any(|word| word.text.starts_with("--dry-run=") && !sets(&word.text, "--dry-run"));
            let hashicorp = matches!(program, "nomad" | "terraform" | "tofu" | "vault");
            !starts && (any("--help") || tries || hashicorp && is(args.last(), "-help") && own(args.len() - 1))
        }
        _ => false,
    }
}

/// One row of a table.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub id: &'static str,
    pub severity: Severity,
    /// [`Pattern`]s, separated by `;`: one of them is enough.
    pub pattern: &'static str,
    /// What is lost, and what to do instead.
    pub reason: &'static str,
}

/// A row of a table, in the order in which it reads best.
pub const fn rule(id: &'static str, severity: Severity, pattern: &'static str, reason: &'static str) -> Rule {
    Rule {
        id,
        severity,
        pattern,
        reason,
    }
}

/// Tables by program. A pattern is read when its program is met: few are, and what `configure` builds is in the memory
/// that every event starts from.
#[derive(Debug, Default)]
pub struct Rules {
    /// Program, the rest of the pattern, the rule; sorted by program.
    entries: Vec<(&'static str, &'static str, &'static Rule)>,
}

impl Rules {
    pub fn new(tables: &[&'static [Rule]]) -> Self {
        let mut entries = Vec::new();
        for rule in tables.iter().flat_map(|table| table.iter()) {
            for pattern in rule.pattern.split(';') {
                let pattern = pattern.trim();
                let (programs, rest) = pattern.split_once(' ').unwrap_or((pattern, ""));
                entries.extend(programs.split('|').map(|program| (program, rest, rule)));
            }
        }
        // A stable sort: the rules of a program stay in the order of the tables.
        entries.sort_by_key(|(program, ..)| *program);
        Rules { entries }
    }

    fn of(&self, program: &str) -> &[(&'static str, &'static str, &'static Rule)] {
        let from = self.entries.partition_point(|(name, ..)| *name < program);
        let to = from + self.entries[from..].partition_point(|(name, ..)| *name == program);
        &self.entries[from..to]
    }

    /// Whether some rule speaks about this program.
    pub fn knows(&self, program: &str) -> bool {
        !self.of(program).is_empty()
    }

    /// What the rules say about a command.
    pub fn judge(&self, command: &SimpleCommand, findings: &mut Vec<Finding>) {
        let Some(first) = command.argv.first() else { return };
        let program = program(&first.text);
        let rules = self.of(&program);
        if rules.is_empty() || only_asks(&program, command.args()) {
            return;
        }
        for (_, pattern, rule) in rules {
            if Pattern::parse(pattern).matches(command.args()) {
                findings.push(Finding::new(rule.id, rule.severity, rule.reason));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Severity;

    const TABLE: &[Rule] = &[
        rule("a", Severity::Ask, "x|y go; z", "r"),
        rule("b", Severity::Block, "y go -f", "r"),
    ];

    fn found(line: &str) -> Vec<String> {
        let word = |text: &str| Word {
            text: text.into(),
            known: true,
            glob: false,
        };
        let command = SimpleCommand {
            argv: line.split(' ').map(word).collect(),
            assignments: Vec::new(),
            redirects: Vec::new(),
            via: Vec::new(),
            cwd: None,
            pipeline: (0, 0),
        };
        let mut findings = Vec::new();
        Rules::new(&[TABLE]).judge(&command, &mut findings);
        findings.iter().map(|finding| finding.rule.to_string()).collect()
    }

    #[test]
    fn the_helpful_are_sorted_and_their_help_is_no_deed() {
        assert!(HELPFUL.is_sorted());
        let asks = |line: &str| {
            let word = |text: &str| Word {
                text: text.into(),
                known: true,
                glob: false,
            };
            let words: Vec<Word> = line.split(' ').map(word).collect();
            only_asks(&words[0].text, &words[1..])
        };
        assert!(asks("kubectl drain --help") && asks("aws ec2 terminate-instances help"));
        assert!(asks("eksctl delete cluster x --dry-run") && asks("terraform force-unlock -help"));
        assert!(!asks("kubectl delete ns x --dry-run=none") && !asks("npm run db:reset --dry-run"));
        assert!(!asks("kubectl delete ns x --dry-run=client --dry-run=none"));
        assert!(!asks("docker run --privileged x --help") && !asks("kubectl delete ns x -- --help"));
        assert!(!asks("redis-cli flushall --help") && !asks("aws s3 rm help --recursive"));
    }

    #[test]
    fn every_rule_of_the_program_is_asked() {
        assert_eq!(found("x go"), ["a"]);
        assert_eq!(found("/bin/Y go -f"), ["a", "b"]);
        assert_eq!(found("z"), ["a"]);
        assert!(found("x stop").is_empty() && found("w go").is_empty());
    }
}

//! Database clients: what the statements that they are given would destroy. Statements come as an option's value, as an
//! operand, in a heredoc, or through a pipe from `echo`, `printf` or a heredoc of `cat`.

use crate::judge::Scene;
use crate::stores;
use Severity::{Ask, Block};
use hookbox_pack::words::program;
use hookbox_pack::{Finding, Place, Severity};
use hookbox_sdk::SimpleCommand;

/// Clients that take SQL.
const CLIENTS: &[&str] = &[
    "psql",
    "pgcli",
    "mysql",
    "mariadb",
    "mycli",
    "sqlite3",
    "sqlite",
    "litecli",
    "sqlcmd",
    "mssql-cli",
    "sqlplus",
    "sql",
    "clickhouse-client",
    "clickhouse",
    "clickhouse-local",
    "cockroach",
    "cqlsh",
    "duckdb",
    "bq",
    "snowsql",
    "snow",
    "trino",
    "presto",
    "beeline",
    "hive",
    "spark-sql",
    "usql",
    "isql",
    "tsql",
    "db2",
    "vsql",
    "impala-shell",
    "ksql",
    "turso",
    "wrangler",
    "tidb",
    "influx",
    "questdb",
    "surreal",
    "supabase",
    "planetscale",
    "pscale",
    "neon",
    "heroku",
    "databricks",
    "athena",
    "athenacli",
    "iredis",
    "timescaledb",
    "crdb",
    "osquery",
    "arangosh",
    "cypher-shell",
    "invoke-sqlcmd",
    "prisma",
];
/// Statements that are read; more text than this is not looked at.
pub(crate) const TEXT: usize = 64 * 1024;

pub(crate) fn judge(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let name = program(&command.argv[0].text);
    if stores::judge(&name, scene, command, findings) {
        return;
    }
    let table = command
        .args()
        .first()
        .is_some_and(|word| word.text.eq_ignore_ascii_case("table"));
    if matches!(name.as_str(), "drop" | "delete" | "alter" | "flushall" | "flushdb") || name == "truncate" && table {
        return bare(command, &name, findings);
    }
    if is_interpreter(&name) {
        return in_code(scene, command, findings);
    }
    if !CLIENTS.contains(&name.as_str()) || in_memory(scene, command, &name) || command.has_arg("--dry_run") {
        return;
    }
    for text in texts(scene, command) {
        statements(&text, findings);
    }
    let scripts = command.redirects.iter().filter(|redirect| redirect.operator == "<");
    if scripts
        .map(|redirect| redirect.target.text.to_ascii_lowercase())
        .any(|name| names_a_loss(&name))
    {
        findings.push(Finding::new(
            "sql-script",
            Ask,
            "plays a script that by its name deletes: show what it does, dump the database, and let the user confirm",
        ));
    }
}

/// `drop_all.sql`, `reset.sql`.
fn names_a_loss(file: &str) -> bool {
    file.ends_with(".sql")
        && ["drop", "reset", "wipe", "truncate", "nuke", "destroy"]
            .iter()
            .any(|word| file.rsplit('/').next().unwrap_or(file).contains(word))
}

/// A statement where a program's name should be. The shell finds no such program; the next try is through a client.
fn bare(command: &SimpleCommand, name: &str, findings: &mut Vec<Finding>) {
    let words: Vec<&str> = command.argv.iter().map(|word| word.text.as_str()).collect();
    let mut found = Vec::new();
    statements(&words.join(" "), &mut found);
    if name.starts_with("flush") {
        found.push(Finding::new(
            "redis-flush",
            Ask,
            "deletes every key: delete the keys you mean",
        ));
    }
    findings.extend(found.into_iter().map(at_most_ask));
}

fn at_most_ask(finding: Finding) -> Finding {
    Finding {
        severity: finding.severity.min(Ask),
        ..finding
    }
}

fn is_interpreter(name: &str) -> bool {
    name.starts_with("python") || matches!(name, "node" | "bun" | "deno" | "ruby" | "php" | "perl")
}

/// Statements in the strings of a program that hands some to a database.
fn in_code(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    const CALLS: [&str; 7] = [
        "execute(",
        "executescript(",
        ".query(",
        ".exec(",
        "text(",
        ".raw(",
        ".run(",
    ];
    let mut found = Vec::new();
    for text in texts(scene, command) {
        let lower = text.to_ascii_lowercase();
        if CALLS.iter().any(|call| lower.contains(call)) {
            text.split(['"', '\'', '`'])
                .filter(|piece| piece.contains(' '))
                .for_each(|piece| statements(piece, &mut found));
        }
        if [
            ".flushall(",
            ".flushdb(",
            ".drop_database(",
            ".drop_collection(",
            ".dropdatabase(",
        ]
        .iter()
        .any(|call| lower.contains(call))
        {
            found.push(Finding::new(
                "db-in-code",
                Ask,
                "empties a database from a program: dump it first, and delete what you mean by name",
            ));
        }
    }
    findings.extend(found.into_iter().map(at_most_ask));
}

/// A database that nobody misses.
fn in_memory(scene: &Scene<'_>, command: &SimpleCommand, name: &str) -> bool {
    if !matches!(name, "sqlite3" | "sqlite" | "duckdb" | "litecli") {
        return false;
    }
    let database = command.args().iter().find(|word| !word.text.starts_with('-'));
    database.is_some_and(|word| word.text == ":memory:" || scene.locate(word).0 == Place::Temp)
}

/// Every text that the client may take for statements.
pub(crate) fn texts(scene: &Scene<'_>, command: &SimpleCommand) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for word in command.args() {
        let text = match word.text.split_once('=') {
            Some((option, value)) if option.starts_with("--") => value,
            _ => word.text.trim_start_matches("-c").trim_start_matches("-e"),
        };
        if text.contains([' ', '(', ';']) {
            texts.push(text.into());
        }
    }
    texts.extend(inputs(command));
    for feeder in scene.feeders(command) {
        match program(&feeder.argv[0].text).as_str() {
            "echo" | "printf" => texts.push(
                feeder
                    .args()
                    .iter()
                    .map(|word| word.text.as_str())
                    .collect::<Vec<_>>()
                    .join(" "),
            ),
            "cat" | "tee" => texts.extend(inputs(feeder)),
            _ => {}
        }
    }
    texts
}

/// Heredocs and here-strings.
fn inputs(command: &SimpleCommand) -> impl Iterator<Item = String> {
    command
        .redirects
        .iter()
        .filter(|redirect| redirect.operator.starts_with("<<"))
        .map(|redirect| redirect.target.text.clone())
}

/// Words of SQL, in lower case, without comments and strings; `;` stands alone.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    let mut rest = text.get(..TEXT).unwrap_or(text).char_indices().peekable();
    let flush = |word: &mut String, tokens: &mut Vec<String>| {
        if !word.is_empty() {
            tokens.push(std::mem::take(word));
        }
    };
    while let Some((at, c)) = rest.next() {
        let next = rest.peek().map(|(_, c)| *c);
        match c {
            '-' if next == Some('-') => while rest.next_if(|(_, c)| *c != '\n').is_some() {},
            '/' if next == Some('*') => {
                rest.next();
                let end = text[at + 2..].find("*/").map_or(text.len(), |end| at + 2 + end + 2);
                while rest.next_if(|(at, _)| *at < end).is_some() {}
                flush(&mut word, &mut tokens);
            }
            '\'' => {
                flush(&mut word, &mut tokens);
                while rest.next_if(|(_, c)| *c != '\'').is_some() {}
                rest.next();
                tokens.push("''".into());
            }
            ';' | '(' | ')' | ',' | '=' => {
                flush(&mut word, &mut tokens);
                tokens.push(c.to_string());
            }
            c if c.is_whitespace() => flush(&mut word, &mut tokens),
            '"' | '`' => {}
            c => word.extend(c.to_lowercase()),
        }
    }
    flush(&mut word, &mut tokens);
    tokens
}

fn statements(text: &str, findings: &mut Vec<Finding>) {
    let tokens = tokens(text);
    for statement in tokens.split(|token| token == ";") {
        let words: Vec<&str> = statement.iter().map(String::as_str).collect();
        if let Some((rule, severity, reason)) = destroys(&words) {
            findings.push(Finding::new(rule, severity, reason));
        }
    }
}

type Found = (&'static str, Severity, &'static str);

fn destroys(words: &[&str]) -> Option<Found> {
    // `DROP` may stand behind a client's own words (`d1 execute db --command`), `EXPLAIN` before one that does not run.
    let at = words.iter().position(|word| {
        matches!(
            *word,
            "drop" | "truncate" | "delete" | "update" | "alter" | "flush" | "purge" | "reset" | "shutdown"
        )
    })?;
    if words[..at].iter().any(|word| {
        matches!(
            *word,
            "select" | "explain" | "show" | "describe" | "insert" | "create" | "grant" | "comment" | "pragma" | "on"
        )
    }) {
        return None;
    }
    let after = &words[at + 1..];
    let object = after.first().copied().unwrap_or("");
    match words[at] {
        "drop" => {
            match object {
                "database" | "schema" | "keyspace" | "catalog" | "tablespace" => Some((
                    "sql-drop",
                    Block,
                    "DROP deletes a whole database: dump it first (`pg_dump`, `mysqldump`) and let the user do it",
                )),
                "table" | "view" | "materialized" | "index" | "column" | "user" | "role" | "function" | "procedure"
                | "trigger" | "sequence" | "type" | "extension" | "publication" | "subscription" | "server"
                | "policy" | "owned" | "collection" | "measurement" | "series" | "stage" | "warehouse" | "pipe"
                | "stream" | "task" | "external" | "foreign" | "aggregate" | "domain" | "event" | "login"
                | "constraint" | "partition" | "if" | "graph" | "bucket" | "retention" | "continuous" | "temporary" => {
                    let temporary = object == "temporary";
                    (!temporary).then_some(("sql-drop", Ask, "DROP deletes it with all its data: dump it first, or rename it (`ALTER TABLE … RENAME TO …_old`)"))
                }
                _ => None,
            }
        }
        "truncate" if !after.is_empty() && object != "(" => Some((
            "sql-truncate",
            Ask,
            "TRUNCATE deletes every row: dump the table first, or DELETE with a WHERE inside a transaction",
        )),
        "delete" if matches!(object, "from" | "top" | "low_priority" | "quick" | "ignore") => everything(after)
            .then_some((
                "sql-delete-all",
                Ask,
                "DELETE without a WHERE that narrows deletes every row: add one, and try it as a SELECT first",
            )),
        "update" if after.contains(&"set") => everything(after).then_some((
            "sql-update-all",
            Ask,
            "UPDATE without a WHERE changes every row: add one, and try it as a SELECT first",
        )),
        "alter" if after.contains(&"drop") => Some((
            "sql-alter-drop",
            Ask,
            "ALTER … DROP deletes a column or constraint with its data: dump the table first",
        )),
        "alter" if after.contains(&"delete") => Some((
            "sql-alter-drop",
            Ask,
            "ALTER … DELETE deletes rows for good: try the condition as a SELECT first",
        )),
        "flush" if matches!(object, "tables" | "privileges" | "logs") => None,
        "purge" if matches!(object, "binary" | "master" | "recyclebin" | "table") => Some((
            "sql-drop",
            Ask,
            "PURGE deletes what a recovery needs: let the user do it",
        )),
        "reset" if matches!(object, "master" | "slave" | "replica" | "binary") => Some((
            "sql-drop",
            Ask,
            "RESET deletes the replication's logs: let the user do it",
        )),
        "shutdown" if after.is_empty() || matches!(object, "with" | "immediate" | "abort") => {
            Some(("sql-drop", Ask, "stops the database server: let the user do it"))
        }
        _ => None,
    }
}

/// No WHERE, or one that always holds, and no LIMIT.
fn everything(words: &[&str]) -> bool {
    let Some(at) = words.iter().position(|word| *word == "where") else {
        return !words.iter().any(|word| matches!(*word, "limit" | "using" | "top"));
    };
    let condition: Vec<&str> = words[at + 1..]
        .iter()
        .copied()
        .take_while(|word| *word != "returning")
        .collect();
    // `… OR 1=1`
    let always = |four: &[&str]| four[0] == "or" && four[2] == "=" && four[1] == four[3];
    condition.windows(4).any(always)
        || matches!(
            condition.as_slice(),
            ["true"] | ["1"] | ["1", "=", "1"] | ["''", "=", "''"] | ["not", "false"] | [] | ["0", "=", "0"]
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let mut findings = Vec::new();
        statements(text, &mut findings);
        findings.iter().map(|finding| finding.rule.to_string()).collect()
    }

    #[test]
    fn statements_that_destroy_are_told_from_those_that_read() {
        assert_eq!(found("DROP TABLE users; select 1"), ["sql-drop"]);
        assert_eq!(found("delete from users"), ["sql-delete-all"]);
        assert_eq!(found("DELETE FROM users WHERE 1=1;"), ["sql-delete-all"]);
        assert_eq!(found("update t set a = 1"), ["sql-update-all"]);
        assert_eq!(found("/* x */ TRUNCATE users"), ["sql-truncate"]);
        for text in [
            "DELETE FROM users WHERE id = 3",
            "select 'drop table x'",
            "-- drop table x\nselect 1",
            "SELECT * FROM drop_log",
            "update t set a = 1 where id = 2",
            "CREATE TABLE t (id int, FOREIGN KEY (a) REFERENCES b ON DELETE CASCADE)",
            "select truncate(1.5, 0)",
        ] {
            assert!(found(text).is_empty(), "{text}");
        }
    }
}

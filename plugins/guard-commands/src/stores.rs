//! What speaks no SQL: MongoDB's JavaScript, Redis' commands, the sockets by which servers are administered.

use crate::judge::Scene;
use crate::sql::{TEXT, texts};
use Severity::{Ask, Block, Strict};
use hookbox_pack::words::dashed;
use hookbox_pack::{Finding, Severity};
use hookbox_sdk::SimpleCommand;

/// Clients that take JavaScript.
const MONGO: &[&str] = &["mongo", "mongosh", "mongocli"];
/// Clients whose first operands are commands of their own.
const REDIS: &[&str] = &["redis-cli", "valkey-cli", "keydb-cli", "dragonfly-cli", "iredis"];
/// Judges a client of such a store; whether it is one.
pub(crate) fn judge(name: &str, scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) -> bool {
    if REDIS.contains(&name) {
        redis(scene, command, findings);
        return true;
    }
    if MONGO.contains(&name) {
        findings.extend(texts(scene, command).iter().filter_map(|text| mongo(text)));
        return true;
    }
    if matches!(name, "socat" | "nc") && command.args().iter().any(|word| word.text.ends_with(".sock")) {
        let texts = texts(scene, command);
        let verb = |text: &String| text.split_whitespace().next().map(str::to_string).unwrap_or_default();
        if texts
            .iter()
            .map(verb)
            .any(|verb| matches!(verb.as_str(), "disable" | "shutdown" | "clear" | "del"))
        {
            findings.push(Finding::new(
                "socket-admin",
                Ask,
                "takes down what a running server holds: `show stat` shows it; let the user do it",
            ));
        }
        return true;
    }
    false
}

/// JavaScript for MongoDB.
fn mongo(text: &str) -> Option<Finding> {
    let packed: String = text
        .chars()
        .take(TEXT)
        .filter(|c| !c.is_whitespace())
        .flat_map(char::to_lowercase)
        .collect();
    let calls = |names: &[&str]| names.iter().any(|name| packed.contains(name));
    if calls(&[
        "dropdatabase(",
        "dropdatabase:1",
        "admincommand({shutdown",
        "shutdownserver(",
    ]) {
        return Some(Finding::new(
            "mongo-drop",
            Block,
            "dropDatabase deletes a whole database: `mongodump` first and let the user do it",
        ));
    }
    if calls(&[
        ".drop(",
        ".dropindexes(",
        ".dropindex(",
        ".dropallusers",
        ".dropuser(",
        ".dropcollection(",
    ]) {
        return Some(Finding::new(
            "mongo-drop",
            Ask,
            "drop deletes a collection with its data: `mongodump` it first, or rename it",
        ));
    }
    if calls(&[
        "deletemany({}",
        "deletemany()",
        ".remove({}",
        ".remove()",
        "deleteone({})",
        "updatemany({},",
        "findanddelete({})",
    ]) {
        return Some(Finding::new(
            "mongo-delete-all",
            Ask,
            "an empty filter means every document: name the ones you mean, and try it with find() first",
        ));
    }
    None
}

/// Commands of Redis whose words are keys and values.
const DATA_COMMANDS: [&str; 22] = [
    "append", "echo", "exists", "expire", "get", "hget", "hgetall", "hset", "incr", "lpush", "lrange", "mget", "mset",
    "publish", "rpush", "sadd", "set", "strlen", "ttl", "type", "xadd", "zadd",
];

fn redis(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let mut lines = texts(scene, command);
    lines.push(
        command
            .args()
            .iter()
            .map(|word| word.text.as_str())
            .collect::<Vec<_>>()
            .join(" "),
    );
    let keys = command.via.iter().any(|via| via.starts_with("xargs"));
    for line in lines.iter().flat_map(|text| text.lines()) {
        let words: Vec<String> = line
            .split_ascii_whitespace()
            .map(|word| dashed(word).trim_matches(['"', '\'']).to_ascii_lowercase())
            .collect();
        let has = |name: &str| words.iter().any(|word| word == name);
        let pair = |first: &str, second: &[&str]| {
            words
                .windows(2)
                .any(|pair| pair[0] == first && second.contains(&pair[1].as_str()))
        };
        // `redis-cli GET flushall` reads a key of that name; `-a get flushall` gives a password.
        let flush = words.iter().position(|word| word.starts_with("flush")).unwrap_or(0);
        let reads = (0..flush)
            .any(|at| DATA_COMMANDS.contains(&words[at].as_str()) && !(at > 0 && words[at - 1].starts_with('-')));
        let in_script =
            line.to_ascii_lowercase().contains("call('flush") || line.to_ascii_lowercase().contains("call(\"flush");
        if (has("flushall") || has("flushdb")) && !reads || in_script {
            findings.push(Finding::new(
                "redis-flush",
                Block,
                "FLUSHALL and FLUSHDB delete every key: delete the keys you mean (`SCAN`, then `UNLINK key`)",
            ));
        } else if has("shutdown")
            || pair("debug", &["segfault", "reload", "panic"])
            || pair("cluster", &["reset", "forget", "flushslots"])
            || pair("script", &["flush", "kill"])
            || pair("function", &["flush", "delete"])
            || pair("acl", &["deluser", "setuser"])
            || pair("config", &["rewrite", "resetstat", "set"])
            || pair("sentinel", &["remove", "reset"])
            || pair("replicaof", &["no"])
            || pair("slaveof", &["no"])
            || pair("client", &["kill"])
        {
            findings.push(Finding::new(
                "redis-admin",
                Ask,
                "changes the whole Redis server: let the user do it",
            ));
        } else if keys && (has("del") || has("unlink")) {
            findings.push(Finding::new(
                "redis-flush",
                Ask,
                "deletes every key that the list names: show the list first",
            ));
        } else if has("del") || has("unlink") || has("xtrim") || has("ltrim") {
            findings.push(Finding::new("redis-del", Strict, "deletes keys: read them first"));
        }
    }
}

//! Tests of `keys`. Every key here is made up on the spot: prefix and body are joined, so that no text of this
//! repository looks like a key.

use super::*;
use crate::checksum::signed;

/// Letters and digits that repeat nothing for a while.
fn body(length: usize) -> String {
    "a9B8c7D6e5F4g3H2i1J0kLmNoPqRsTuVwXyZ"
        .chars()
        .cycle()
        .take(length)
        .collect()
}

fn hex(length: usize) -> String {
    "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
        .chars()
        .cycle()
        .take(length)
        .collect()
}

fn kinds(text: &str) -> Vec<(&'static str, Sure)> {
    scan(text).iter().map(|found| (found.kind, found.sure)).collect()
}

fn only(text: &str) -> (&str, Sure) {
    let found = scan(text);
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    (&text[found[0].start..found[0].end], found[0].sure)
}

#[test]
fn a_key_is_found_wherever_a_word_can_begin() {
    let key = format!("{}{}", "AKIA", "ABCDEFGHIJKLMNOP");
    for text in [
        key.clone(),
        format!("Use this: AWS_ACCESS_KEY_ID={key}"),
        format!("{{\"id\":\"{key}\"}}"),
        format!("line\\n{key}\\n"),
        format!("q=%3D{key}&x"),
        format!("({key})."),
        format!("ключ:{key}"),
    ] {
        assert_eq!(only(&text), (key.as_str(), Sure::Certain), "{text}");
    }
    assert!(scan(&format!("X{key}")).is_empty());
    assert!(scan(&format!("{key}Q")).is_empty());
}

#[test]
fn a_checksum_tells_a_token_from_what_looks_like_one() {
    let token = signed(&body(30));
    for prefix in ["ghp_", "gho_", "npm_"] {
        assert_eq!(only(&format!("{prefix}{token}")).1, Sure::Certain, "{prefix}");
        assert_eq!(only(&format!("{prefix}{}", body(36))).1, Sure::Likely, "{prefix}");
    }
}

#[test]
fn every_format_of_the_table_finds_a_body_of_its_shape() {
    for format in FORMATS {
        let length = format.length.0;
        let text = match format.body & (LOWER | UPPER | HEX) {
            HEX => hex(length),
            UPPER => "A9B8C7D6E5F4G3H2J1K0LMNPQRSTUVWXYZ"
                .chars()
                .cycle()
                .take(length)
                .collect(),
            _ => body(length),
        };
        let text = format!("key {}{text} end", format.prefix);
        assert_eq!(scan(&text).len(), 1, "{format:?} {text}");
    }
}

#[test]
fn placeholders_of_documentation_pass() {
    for text in [
        "AKIAIOSFODNN7EXAMPLE".to_string(),
        format!("ghp_{}", "x".repeat(36)),
        format!("sk-ant-{}", "0".repeat(40)),
        "sk_live_your_key_goes_here_1234".to_string(),
        "password: \"changeme-changeme-1\"".to_string(),
        "api_key = <YOUR_API_KEY_GOES_HERE_1>".to_string(),
    ] {
        assert!(scan(&text).is_empty(), "{text}: {:?}", scan(&text));
    }
}

#[test]
fn a_private_key_is_found_to_its_end() {
    let block = format!(
        "-----BEGIN {} KEY-----\n{}\n{}\n-----END {} KEY-----",
        "RSA PRIVATE",
        body(64),
        body(64),
        "RSA PRIVATE"
    );
    assert_eq!(only(&format!("a\n{block}\nb")).0, block);
    assert_eq!(kinds(&block.replace('\n', "\\n")), [("private key", Sure::Certain)]);
    let cut = &block[..block.len() - 40];
    assert_eq!(kinds(cut), [("private key", Sure::Certain)]);
    assert!(scan("the line -----BEGIN PRIVATE KEY----- starts it").is_empty());
    assert!(scan(&block.replace("PRIVATE", "PUBLIC")).is_empty());
}

#[test]
fn tokens_with_structure() {
    let token = format!("eyJ{}.eyJ{}.{}", body(30), body(40), body(43));
    assert_eq!(only(&format!("Authorization: Bearer {token}")).0, token);
    let openai = format!("sk-{}T3BlbkFJ{}", body(20), body(20));
    assert_eq!(only(&format!("key={openai};")).0, openai);
    let telegram = format!("123456789:AA{}", body(33));
    assert_eq!(only(&telegram).0, telegram);
    assert!(scan(&format!("eyJ{}", body(50))).is_empty());
}

#[test]
fn a_random_value_under_a_telling_name_is_a_guess() {
    for text in [
        "DB_PASSWORD=hT9#kQ2vLm8xWp4z",
        "DB_PASSWORD=hT9kQ2vLm8xWp4zR",
        "\"clientSecret\": \"q8Zr2LkX0vTn5YbW7cJd\"",
        "api_key: 'q8Zr2LkX0vTn5YbW7cJd'",
        "{\\\"token\\\":\\\"q8Zr2LkX0vTn5YbW7cJd\\\"}",
        "signing-key => \"q8Zr2LkX0vTn5YbW7cJd\"",
        "secret = 0f1e2d3c4b5a69788796a5b4c3d2e1f0",
    ] {
        assert_eq!(only(text).1, Sure::Guess, "{text}");
    }
}

#[test]
fn ordinary_assignments_pass() {
    for text in [
        "password = settings.DATABASE_PASSWORD_V2",
        "token = process.env.GITHUB_TOKEN",
        "let token = getTokenFromStore12Abc();",
        "const secret = config.get('Secret1Name2')",
        "password: ${DB_PASSWORD1aB}",
        "password=$DB_PASSWORD",
        "token: \"the-access-token-of-the-user\"",
        "apiKey: SOME_CONSTANT_NAME_42",
        "max_tokens: 4096",
        "integrity sha512-q8Zr2LkX0vTn5YbW7cJd==",
        "resolved \"https://registry.example/a/-/a-1.0.0.tgz#0f1e2d3c4b5a69788796a5b4c3d2e1f0aabbccdd\"",
        "\"commit\": \"0f1e2d3c4b5a69788796a5b4c3d2e1f0aabbccdd\"",
        "secretName: my-app-credentials",
        "tokenizer: BertTokenizerFast2Models",
        "password: /run/secrets/DbPassword1",
        "postgres://user:password@localhost:5432/db",
        "https://user@host.example/x:y",
    ] {
        assert!(scan(text).is_empty(), "{text}: {:?}", scan(text));
    }
}

#[test]
fn a_password_in_a_url_is_found_alone() {
    let url = "postgres://app:q8Zr2LkX0v@db.internal:5432/x";
    assert_eq!(only(url).0, "q8Zr2LkX0v");
    assert!(scan("postgres://postgres:postgres@db.internal/x").is_empty());
}

#[test]
fn keys_in_a_row_are_all_found() {
    let one = format!("{}{}", "AKIA", "ABCDEFGHIJKLMNOP");
    let two = format!("sk-ant-api03-{}", body(60));
    for between in [" ", ",", "\n", "/"] {
        let text = format!("{two}{between}{one}{between}{two}{between}{two}");
        assert_eq!(scan(&text).len(), 4, "{between:?} {:?}", scan(&text));
    }
}

#[test]
fn a_long_text_costs_a_bounded_number_of_steps() {
    // Not timed: each of these once took a number of steps that grew with the square of its length.
    for part in [
        "ghs_.",
        "sk-",
        "xoxb-",
        "eyJ-",
        "eyJaaaaaaaaaa.",
        "T3BlbkFJ",
        "a://",
        "token:",
        "password=",
        "-----BEGIN PRIVATE KEY-----",
        "AIza-",
    ] {
        let text = part.repeat(400_000 / part.len());
        let _ = scan(&text);
    }
}

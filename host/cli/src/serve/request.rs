//! One HTTP/1.1 request as far as it matters here: its line, six headers, a body of a length that is known.

use httparse::{EMPTY_HEADER, Status};

/// Bytes of the line and headers of a request.
pub(super) const HEAD_BYTES: usize = 16 << 10;
const HEADERS: usize = 64;

/// What stands before the body.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// Bytes of it.
    pub(super) bytes: usize,
    pub(super) method: String,
    /// With the query.
    pub(super) path: String,
    pub(super) host: Option<String>,
    pub(super) bearer: Option<String>,
    pub(super) has_origin: bool,
    pub(super) length: Option<usize>,
    /// The client waits for a word before it sends the body.
    pub(super) expects: bool,
    /// The connection ends with the answer.
    pub(super) closes: bool,
}

impl Head {
    /// None where more has to come.
    ///
    /// # Errors
    /// It is not HTTP/1, or leaves open where the body ends: what follows on the connection cannot be trusted.
    pub(super) fn read(bytes: &[u8]) -> Result<Option<Self>, String> {
        let mut headers = [EMPTY_HEADER; HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        let length = match request.parse(bytes) {
            Ok(Status::Complete(length)) if length <= HEAD_BYTES => length,
            Ok(Status::Partial) if bytes.len() < HEAD_BYTES => return Ok(None),
            Ok(_) => return Err(format!("its headers have more than {HEAD_BYTES} bytes")),
            Err(error) => return Err(format!("it is not HTTP: {error}")),
        };
        let mut head = Head {
            bytes: length,
            method: request.method.unwrap_or_default().into(),
            path: request.path.unwrap_or_default().into(),
            closes: request.version == Some(0),
            ..Head::default()
        };
        for header in request.headers.iter() {
            let value = std::str::from_utf8(header.value).map(str::trim);
            let value = value.map_err(|_| format!("its header {} is not UTF-8", header.name))?;
            head.take(&header.name.to_ascii_lowercase(), value)?;
        }
        Ok(Some(head))
    }

    fn take(&mut self, name: &str, value: &str) -> Result<(), String> {
        let twice = || Err(format!("it has two headers {name}"));
        match name {
            "host" if self.host.is_some() => return twice(),
            "host" => self.host = Some(value.into()),
            "origin" => self.has_origin = true,
            "authorization" if self.bearer.is_some() => return twice(),
            "authorization" => {
                let word = value
                    .split_once(' ')
                    .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
                self.bearer = Some(word.map_or("", |(_, token)| token.trim()).into());
            }
            "content-length" if self.length.is_some() => return twice(),
            "content-length" => {
                let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
                let length = value.parse().ok().filter(|_| digits);
                self.length = Some(length.ok_or("its Content-Length is not a number")?);
            }
            "transfer-encoding" => return Err("its body has no Content-Length".into()),
            "content-encoding" if !value.eq_ignore_ascii_case("identity") => {
                return Err("its body is compressed".into());
            }
            "expect" => self.expects = true,
            "connection" => {
                let closes = |word: &str| word.trim().eq_ignore_ascii_case("close");
                self.closes |= value.split(',').any(closes);
            }
            _ => {}
        }
        Ok(())
    }

    /// The agent that asks; none where this is not a request for a decision.
    pub(super) fn agent(&self) -> Option<&str> {
        let (path, query) = self.path.split_once('?').unwrap_or((&self.path, ""));
        if self.method != "POST" || path != "/run" {
            return None;
        }
        let mut agents = query.split('&').filter_map(|pair| pair.strip_prefix("agent="));
        match (agents.next(), agents.next()) {
            (agent, None) => Some(agent.unwrap_or("claude-code")),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(lines: &str) -> Result<Option<Head>, String> {
        Head::read(format!("POST /run HTTP/1.1\r\n{lines}\r\n").as_bytes())
    }

    #[test]
    fn where_the_body_ends_is_never_a_guess() {
        for lines in [
            "content-length: 1\r\ncontent-length: 1\r\n",
            "content-length: 1\r\ncontent-length: 2\r\n",
            "content-length: +1\r\n",
            "content-length: 99999999999999999999999\r\n",
            "content-length:\r\n",
            "transfer-encoding: chunked\r\n",
            "content-length: 1\r\ntransfer-encoding: chunked\r\n",
            "content-encoding: gzip\r\ncontent-length: 1\r\n",
            "host: localhost\r\nhost: evil.example\r\n",
            " folded: 1\r\n",
        ] {
            assert!(head(lines).is_err(), "{lines:?}");
        }
    }

    #[test]
    fn a_head_that_never_ends_is_given_up() {
        assert_eq!(Head::read(b"POST /run HT"), Ok(None));
        let long = format!("POST /run HTTP/1.1\r\na: {}", "x".repeat(HEAD_BYTES));
        assert!(Head::read(long.as_bytes()).is_err());
        assert!(head(&"a: b\r\n".repeat(HEADERS + 1)).is_err());
    }

    #[test]
    fn the_agent_stands_in_the_query_once() {
        let agent = |line: &str| {
            let head = Head::read(format!("{line} HTTP/1.1\r\n\r\n").as_bytes())
                .unwrap()
                .unwrap();
            head.agent().map(str::to_owned)
        };
        assert_eq!(agent("POST /run").as_deref(), Some("claude-code"));
        assert_eq!(agent("POST /run?agent=codex").as_deref(), Some("codex"));
        for other in ["GET /run", "POST /", "POST /run/", "POST /run?agent=a&agent=b"] {
            assert_eq!(agent(other), None, "{other}");
        }
    }
}

//! A server on loopback that counts who comes, and a guest that sends it one request.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// A server. Its threads end with the test.
pub(crate) struct Server {
    pub(crate) port: u16,
    connections: Arc<AtomicUsize>,
}

impl Server {
    /// `answer`: what is written for a request, from its first line and all of it.
    pub(crate) fn start(answer: impl Fn(&str, &str) -> Vec<u8> + Send + Sync + 'static) -> Self {
        Self::serve(move |mut stream| {
            let request = read(&mut stream);
            let line = request.lines().next().unwrap_or_default();
            let _ = stream.write_all(&answer(line, &request));
        })
    }

    pub(crate) fn serve(talk: impl Fn(TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let connections = Arc::new(AtomicUsize::new(0));
        let (count, talk) = (Arc::clone(&connections), Arc::new(talk));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                count.fetch_add(1, Ordering::SeqCst);
                let talk = Arc::clone(&talk);
                thread::spawn(move || talk(stream));
            }
        });
        Server { port, connections }
    }

    /// How many came.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub(crate) fn at(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn grant(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }
}

/// A whole request, its body included.
fn read(stream: &mut TcpStream) -> String {
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let (mut text, mut chunk) = (Vec::new(), [0; 4096]);
    loop {
        let length = stream.read(&mut chunk).unwrap_or(0);
        text.extend_from_slice(&chunk[..length]);
        let whole = String::from_utf8_lossy(&text);
        if let Some((head, body)) = whole.split_once("\r\n\r\n") {
            let head = head.to_ascii_lowercase();
            let expected = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= expected.unwrap_or(0) {
                return whole.into_owned();
            }
        }
        if length == 0 {
            return whole.into_owned();
        }
    }
}

pub(crate) fn answer(status: &str, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 {status}\r\ncontent-length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// A plugin that sends this request with each event. It denies with the start of the answer's body where the status is the one
/// that is expected, and fails with the error where there is none.
pub(crate) struct Request<'a> {
    pub(crate) method: &'a str,
    pub(crate) url: &'a str,
    pub(crate) headers: &'a [(&'a str, &'a str)],
    pub(crate) body: usize,
    pub(crate) status: u16,
    /// How often it is sent.
    pub(crate) times: usize,
}

impl<'a> Request<'a> {
    pub(crate) fn get(url: &'a str) -> Self {
        Request {
            method: "GET",
            url,
            headers: &[],
            body: 0,
            status: 200,
            times: 1,
        }
    }

    pub(crate) fn component(&self) -> Vec<u8> {
        let mut data = String::new();
        let mut place = |at: usize, bytes: &[u8]| {
            let _ = write!(data, "(data (i32.const {at}) \"");
            for byte in bytes {
                let _ = write!(data, "\\{byte:02x}");
            }
            data.push_str("\")\n");
        };
        place(512, self.method.as_bytes());
        place(8192, self.url.as_bytes());
        let mut next = 32768;
        for (index, (name, value)) in self.headers.iter().enumerate() {
            let mut entry = Vec::new();
            for text in [name, value] {
                place(next, text.as_bytes());
                entry.extend(u32::try_from(next).unwrap().to_le_bytes());
                entry.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
                next += text.len();
            }
            place(640 + index * 16, &entry);
        }
        let text = format!(
            r#"(import "hookbox:hook/http@0.1.0" "send" (func $send (param i32 i32 i32 i32 i32 i32 i32 i32 i32)))
            (memory (export "memory") 40)
            (func $handle (param $event i32) (result i32)
              (local $left i32) (local $said i32)
              (local.set $left (i32.const {times}))
              (loop $again
                (call $send (i32.const 512) (i32.const {method}) (i32.const 8192) (i32.const {url})
                  (i32.const 640) (i32.const {headers}) (i32.const 131072) (i32.const {body}) (i32.const 160))
                (if (i32.load8_u (i32.const 160))
                  (then (return (call $fail (i32.load (i32.const 164)) (i32.load (i32.const 168))))))
                (if (i32.ne (i32.load16_u (i32.const 164)) (i32.const {status})) (then (unreachable)))
                (local.set $left (i32.sub (local.get $left) (i32.const 1)))
                (br_if $again (local.get $left)))
              (local.set $said (i32.load (i32.const 180)))
              (if (i32.gt_u (local.get $said) (i32.const 4096)) (then (local.set $said (i32.const 4096))))
              (call $deny (i32.load (i32.const 176)) (local.get $said)))
            {data}"#,
            times = self.times,
            method = self.method.len(),
            url = self.url.len(),
            headers = self.headers.len(),
            body = self.body,
            status = self.status,
        );
        hookbox_tests::template::component(&text).unwrap()
    }
}

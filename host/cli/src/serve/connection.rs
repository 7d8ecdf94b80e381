//! One connection: requests one after the other, each with its answer.

use super::House;
use super::answer;
use super::door::Door;
use super::late::Desk;
use super::request::Head;
use hookbox::protocol::dialects;
use hookbox::{EVENT_BYTES, HostFault, event_name};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// From the first byte of a request to its last. The shortest timeout of an event that can be blocked is 30 s.
const REQUEST: Duration = Duration::from_secs(20);
/// Between two requests.
const IDLE: Duration = Duration::from_secs(300);
/// Of a connection that has shown no token yet.
const FIRST: Duration = Duration::from_secs(10);
/// For an answer to be taken.
const WRITE: Duration = Duration::from_secs(5);
/// Bytes that are read at once.
const CHUNK: usize = 64 << 10;
/// Bytes of a refused request in which the name of its event is looked for.
const GLANCE: usize = 64 << 10;

pub(super) enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl From<TcpStream> for Stream {
    fn from(stream: TcpStream) -> Self {
        Stream::Tcp(stream)
    }
}

impl From<UnixStream> for Stream {
    fn from(stream: UnixStream) -> Self {
        Stream::Unix(stream)
    }
}

impl Stream {
    fn wait(&self, time: Duration) -> io::Result<()> {
        let time = Some(time.max(Duration::from_millis(1)));
        match self {
            Stream::Tcp(stream) => stream.set_read_timeout(time),
            Stream::Unix(stream) => stream.set_read_timeout(time),
        }
    }

    fn patience_of_answers(&self) -> io::Result<()> {
        match self {
            Stream::Tcp(stream) => stream.set_write_timeout(Some(WRITE)),
            Stream::Unix(stream) => stream.set_write_timeout(Some(WRITE)),
        }
    }

    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Tcp(stream) => (&*stream).read(buffer),
            Stream::Unix(stream) => (&*stream).read(buffer),
        }
    }

    pub(super) fn write_all(&self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Stream::Tcp(stream) => (&*stream).write_all(bytes),
            Stream::Unix(stream) => (&*stream).write_all(bytes),
        }
    }

    pub(super) fn is_tcp(&self) -> bool {
        matches!(self, Stream::Tcp(_))
    }

    /// Nothing more comes or goes: whoever reads from it is at the end.
    pub(super) fn dismiss(&self) {
        let _ = match self {
            Stream::Tcp(stream) => stream.shutdown(Shutdown::Both),
            Stream::Unix(stream) => stream.shutdown(Shutdown::Both),
        };
    }

    pub(super) fn end(&self) {
        let _ = match self {
            Stream::Tcp(stream) => stream.shutdown(Shutdown::Write),
            Stream::Unix(stream) => stream.shutdown(Shutdown::Write),
        };
    }
}

/// Talks until one side has enough.
pub(super) fn talk(house: &House, stream: Stream, door: &Door) {
    if stream.patience_of_answers().is_err() {
        return;
    }
    let desk = house.late.desk(stream);
    // Even a panic leaves the desk: the connection ends with it.
    let _leaves = OnDrop(|| house.late.leave(&desk));
    let mut connection = Connection {
        house,
        desk: Arc::clone(&desk),
        door,
        buffer: Vec::new(),
        chunk: vec![0; CHUNK],
        patience: Duration::ZERO,
        admitted: false,
    };
    while connection.turn() {}
}

/// Does what is to be done at the end of a scope, however it is left.
pub(super) struct OnDrop<F: FnMut()>(pub(super) F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

struct Connection<'a> {
    house: &'a House,
    desk: Arc<Desk>,
    door: &'a Door,
    /// What came and is not answered.
    buffer: Vec<u8>,
    /// What a read is put into.
    chunk: Vec<u8>,
    /// How long a read waits.
    patience: Duration,
    /// A request of it was.
    admitted: bool,
}

/// Why there is no event to judge.
enum Refused {
    /// The client is gone.
    Gone,
    Because(String),
}

impl Connection<'_> {
    /// One request; whether another may follow.
    fn turn(&mut self) -> bool {
        if self.buffer.is_empty() {
            let idle = if self.admitted { IDLE } else { FIRST };
            if !matches!(self.more(idle), Ok(true)) {
                return false;
            }
        }
        let house = self.house;
        house.busy.fetch_add(1, Ordering::SeqCst);
        let _ended = OnDrop(|| {
            house.busy.fetch_sub(1, Ordering::SeqCst);
        });
        self.answer() && !house.ends.load(Ordering::SeqCst)
    }

    fn answer(&mut self) -> bool {
        let begun = Instant::now();
        let head = match self.head(begun) {
            Ok(head) => head,
            Err(refused) => return self.refuse(refused, &Head::default(), begun),
        };
        let agent = match self.admit(&head) {
            Ok(agent) => agent,
            Err(why) => return self.refuse(Refused::Because(why), &head, begun),
        };
        self.admitted = true;
        self.desk.admitted.store(true, Ordering::Relaxed);
        let payload = match self.body(&head, begun) {
            Ok(payload) => payload,
            Err(refused) => return self.refuse(refused, &head, begun),
        };
        let closes = head.closes || self.house.ends.load(Ordering::SeqCst);
        let body = self.judge(agent, &self.buffer[payload.clone()], begun);
        self.buffer.drain(..payload.end);
        match body {
            Some(body) => self.desk.stream.write_all(&answer::http(&body, closes)).is_ok() && !closes,
            None => false,
        }
    }

    /// The body of the answer; none where somebody else has answered. `begun`: when the client's clock began to run.
    fn judge(&self, agent: &str, payload: &[u8], begun: Instant) -> Option<String> {
        let engine = &self.house.engine;
        let judged = catch_unwind(AssertUnwindSafe(|| {
            let verdict = match engine.decode(agent, payload) {
                Ok(event) => {
                    self.desk.begin(agent, &event.name, begun);
                    engine.answer(event)
                }
                Err(verdict) => {
                    self.desk.begin(agent, "", begun);
                    *verdict
                }
            };
            let event = verdict.event.as_ref().map_or("", |event| event.name.as_str());
            answer::body(agent, event, &verdict.response)
        }));
        let panicked = |_| {
            let fault = HostFault::Internal("it panicked".into());
            said(agent, &event_name(agent, payload), &fault)
        };
        // A panic while it was decoded: nobody has begun.
        let body = judged.map_err(panicked);
        match (self.desk.claim(), body) {
            (true, Ok(body)) => Some(body),
            (_, Err(body)) => Some(body),
            (false, Ok(_)) => None,
        }
    }

    fn admit<'a>(&self, head: &'a Head) -> Result<&'a str, String> {
        self.door.admits(head)?;
        let agent = head.agent().ok_or("only POST /run?agent=NAME is")?;
        match head.length {
            None => Err("its body has no Content-Length".into()),
            Some(length) if length > EVENT_BYTES => Err(format!("its body has more than {EVENT_BYTES} bytes")),
            Some(_) => Ok(agent),
        }
    }

    fn head(&mut self, begun: Instant) -> Result<Head, Refused> {
        let time = if self.admitted { REQUEST } else { FIRST };
        loop {
            if let Some(head) = Head::read(&self.buffer).map_err(Refused::Because)? {
                return Ok(head);
            }
            self.more_of(begun, time)?;
        }
    }

    /// Where in the buffer the body is.
    fn body(&mut self, head: &Head, begun: Instant) -> Result<std::ops::Range<usize>, Refused> {
        let end = head.bytes + head.length.unwrap_or(0);
        if head.expects && self.buffer.len() < end {
            let go_on = self.desk.stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n");
            go_on.map_err(|_| Refused::Gone)?;
        }
        while self.buffer.len() < end {
            self.more_of(begun, REQUEST)?;
        }
        Ok(head.bytes..end)
    }

    fn more_of(&mut self, begun: Instant, time: Duration) -> Result<(), Refused> {
        match self.more(time.saturating_sub(begun.elapsed())) {
            _ if begun.elapsed() >= time => {
                let late = format!("it was not complete after {} s", time.as_secs());
                Err(Refused::Because(late))
            }
            Ok(true) => Ok(()),
            // Half a request and no more: the client may still wait for the answer.
            Ok(false) => Err(Refused::Because("it ends early".into())),
            Err(_) => Err(Refused::Gone),
        }
    }

    /// Whether something came within this time.
    fn more(&mut self, time: Duration) -> io::Result<bool> {
        if self.patience != time {
            self.desk.stream.wait(time)?;
            self.patience = time;
        }
        let read = loop {
            match self.desk.stream.read(&mut self.chunk) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // The time is over, which the caller sees on its own clock.
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => break Ok(0),
                read => break read,
            }
        };
        self.buffer.extend(&self.chunk[..*read.as_ref().unwrap_or(&0)]);
        read.map(|read| read > 0)
    }

    /// Blocks what cannot be judged, and ends the connection: what follows on it may be the rest of the body.
    fn refuse(&mut self, refused: Refused, head: &Head, begun: Instant) -> bool {
        let Refused::Because(why) = refused else { return false };
        // The body is let in as far as it tells which event is to be blocked.
        let enough = head.bytes + head.length.unwrap_or(0).min(GLANCE);
        let time = if self.admitted { REQUEST } else { FIRST };
        while head.bytes > 0 && !head.expects && self.buffer.len() < enough && begun.elapsed() < time {
            if !matches!(self.more(time.saturating_sub(begun.elapsed())), Ok(true)) {
                break;
            }
        }
        let agent = head.agent().unwrap_or("claude-code");
        let payload = self.buffer.get(head.bytes..).filter(|_| head.bytes > 0).unwrap_or(&[]);
        let body = said(agent, &event_name(agent, payload), &HostFault::Request(why));
        if self.desk.stream.write_all(&answer::http(&body, true)).is_ok() {
            self.desk.stream.end();
            self.drain(begun);
        }
        false
    }

    /// Lets the rest come and go: a connection that is closed on what was not read takes the answer with it.
    fn drain(&mut self, begun: Instant) {
        self.buffer.clear();
        while begun.elapsed() < REQUEST {
            match self.more(Duration::from_secs(1)) {
                Ok(true) => self.buffer.clear(),
                _ => return,
            }
        }
    }
}

/// The body that tells of a fault.
fn said(agent: &str, event: &str, fault: &HostFault) -> String {
    let response = dialects::encode(agent, event, &fault.outcome(dialects::canonical_event(agent, event)));
    answer::body(agent, event, &response)
}

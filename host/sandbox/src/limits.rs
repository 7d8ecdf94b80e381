//! How much a plugin may use, each limit a named constant with its sentence. [`TABLE`] is what the docs are made of.

use std::time::Duration;
use wasmtime::ResourceLimiter;

/// Instructions, more or less: deterministic, the same on every machine. It decides; the deadline is a backstop.
pub const FUEL: u64 = 100_000_000;
/// Wall clock of one event in one plugin, host calls included.
pub const DEADLINE: Duration = Duration::from_secs(1);
/// Bytes of all linear memories of a plugin together.
pub const MEMORY: usize = 64 << 20;
/// Elements of all tables of a plugin together.
pub const TABLE_ELEMENTS: usize = 100_000;
/// Core instances in a plugin.
pub const INSTANCES: usize = 50;
/// Linear memories in a plugin.
pub const MEMORIES: usize = 8;
/// Tables in a plugin.
pub const TABLES: usize = 32;
/// Bytes of the WebAssembly stack.
pub const WASM_STACK: usize = 512 << 10;
/// Bytes of the stack that a plugin and the host functions it calls run on.
pub const FIBER_STACK: usize = 2 << 20;
/// Bytes that a plugin may pass to the host in one call.
pub const HOST_CALL_BYTES: usize = 4 << 20;
/// Live handles of a component.
pub const HANDLES: usize = 1_000;
/// Entries of the resource table.
pub const RESOURCES: usize = 1_000;
/// Bytes of a whole answer.
pub const ANSWER_BYTES: usize = 1 << 20;
/// Bytes of one reason, message or stop text.
pub const REASON_BYTES: usize = 64 << 10;
/// Log lines per event; the rest is cut, and said so.
pub const LOG_LINES: usize = 256;
/// Bytes of log lines per event; the rest is cut, and said so.
pub const LOG_BYTES: usize = 64 << 10;
/// Random bytes per event, where random is granted.
pub const RANDOM_BYTES: u64 = 64 << 10;
/// Bytes of standard output, and of standard error, of a plain program.
pub const STDIO_BYTES: usize = 1 << 20;
/// Bytes of a plugin's file.
pub const PLUGIN_BYTES: usize = 32 << 20;
/// Components in one another in a plugin's file.
pub const NESTING: usize = 16;
/// Bytes of a path that a plugin asks for: no system takes a longer one.
pub const PATH_BYTES: usize = 4096;
/// Processor seconds of preparing a plugin, in a child process.
pub const PREPARE_CPU: Duration = Duration::from_secs(60);
/// Bytes of address space of preparing a plugin, in a child process.
pub const PREPARE_MEMORY: u64 = 2 << 30;
/// Wall clock of preparing a plugin, in a child process.
pub const PREPARE_TIME: Duration = Duration::from_secs(120);
/// Fuel of `configure`, which runs once.
pub const CONFIGURE_FUEL: u64 = 10_000_000_000;
/// Bytes that the host handles for a plugin in one event, all calls together: fuel is not spent in the host. A call counts
/// [`HOST_CALL`] bytes more than it carries, and a byte of a command to be analysed counts [`ANALYSIS`] times.
pub const HOST_WORK: u64 = 256 << 20;
/// Bytes that a call of the host counts beside what it carries.
pub const HOST_CALL: u64 = 1 << 10;
/// Bytes that a call of WASI counts, whatever it carries: a few microseconds of the host.
pub const WASI_CALL: u64 = 4 << 10;
/// Requests of HTTP in one event.
pub const HTTP_REQUESTS: usize = 16;
/// Bytes of the body of a request, and of a response.
pub const HTTP_BODY: usize = 1 << 20;
/// Bytes of the headers of a request, and of a response.
pub const HTTP_HEADERS: usize = 32 << 10;
/// How many bytes a byte counts that is analysed as a command, found before or not.
pub const ANALYSIS: u64 = 32;
/// Fuel between two looks at the clock: well under a millisecond of the plugin's own work, and few calls of the host.
pub const FUEL_YIELD: u64 = 100_000;

/// One row of the table of limits in the docs.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub what: &'static str,
    pub default: &'static str,
    /// What happens on excess.
    pub excess: &'static str,
    /// The key of `limits` in a configuration, where it can be set.
    pub key: Option<&'static str>,
}

const fn row(what: &'static str, default: &'static str, excess: &'static str, key: Option<&'static str>) -> Row {
    Row {
        what,
        default,
        excess,
        key,
    }
}

/// Every limit, as the docs show it.
pub const TABLE: &[Row] = &[
    row(
        "fuel (deterministic; decides)",
        "100,000,000",
        "the handler failed: `out of fuel`",
        Some("fuel"),
    ),
    row(
        "deadline (wall clock; a backstop)",
        "1 s",
        "the handler failed: `timed out`",
        Some("timeout"),
    ),
    row(
        "linear memory, summed",
        "64 MiB",
        "the handler failed: `out of memory`",
        Some("memory"),
    ),
    row(
        "table elements, summed",
        "100,000",
        "the growth is refused; when prepared, the plugin",
        Some("tableElements"),
    ),
    row(
        "instances, memories, tables",
        "50, 8, 32",
        "refused when prepared",
        None,
    ),
    row("wasm stack", "512 KiB", "trap", None),
    row("bytes passed to the host in one call", "4 MiB", "trap", None),
    row(
        "bytes that the host handles in one event",
        "256 MiB",
        "the handler failed: `out of fuel`",
        None,
    ),
    row("live handles; resource table", "1,000; 1,000", "trap", None),
    row(
        "answer; one text of it",
        "1 MiB; 64 KiB",
        "the handler failed: `answer too large`",
        Some("answer"),
    ),
    row("log lines", "256 lines, 64 KiB", "cut, and said so", None),
    row("random bytes in one event, where granted", "64 KiB", "trap", None),
    row(
        "requests of HTTP, where granted",
        "16",
        "the request fails, and the plugin is told",
        None,
    ),
    row(
        "body, headers of a request or a response",
        "1 MiB, 32 KiB",
        "the request fails, and the plugin is told",
        None,
    ),
    row(
        "stdout, stderr of a plain program",
        "1 MiB each",
        "the handler failed",
        None,
    ),
    row("plugin file", "32 MiB", "refused when prepared", None),
    row("components in one another", "16", "refused when prepared", None),
    row("a path that is asked for", "4096 bytes", "not granted", None),
    row(
        "preparing: processor time, memory, time",
        "60 s, 2 GiB, 120 s",
        "refused when prepared",
        Some("prepareTime"),
    ),
    row("fuel of `configure`", "10,000,000,000", "refused when prepared", None),
];

/// The limits of one plugin; a configuration may set them per handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// See [`FUEL`].
    pub fuel: u64,
    /// See [`DEADLINE`].
    pub deadline: Duration,
    /// Bytes; see [`MEMORY`].
    pub memory: usize,
    /// See [`TABLE_ELEMENTS`].
    pub table_elements: usize,
    /// Bytes; see [`ANSWER_BYTES`].
    pub answer: usize,
    /// Wall clock of preparing it; see [`PREPARE_TIME`].
    pub prepare: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            fuel: FUEL,
            deadline: DEADLINE,
            memory: MEMORY,
            table_elements: TABLE_ELEMENTS,
            answer: ANSWER_BYTES,
            prepare: PREPARE_TIME,
        }
    }
}

/// Keeps the sums of one store. wasmtime's own limits count each memory and table alone.
#[derive(Debug)]
pub(crate) struct Meter {
    memory: Sum,
    elements: Sum,
    /// A memory wanted more than its limit: what then fails is out of memory.
    pub(crate) memory_denied: bool,
}

#[derive(Debug)]
struct Sum {
    taken: usize,
    limit: usize,
}

impl Sum {
    /// Whether there is so much more.
    fn take(&mut self, more: usize) -> bool {
        let taken = self.taken.checked_add(more).filter(|taken| *taken <= self.limit);
        self.taken = taken.unwrap_or(self.taken);
        taken.is_some()
    }
}

impl Meter {
    pub(crate) fn new(limits: &Limits) -> Self {
        let sum = |limit| Sum { taken: 0, limit };
        Meter {
            memory: sum(limits.memory),
            elements: sum(limits.table_elements),
            memory_denied: false,
        }
    }

    /// Under these limits, with what is taken.
    pub(crate) fn again(&self, limits: &Limits) -> Self {
        let mut meter = Meter::new(limits);
        meter.memory.taken = self.memory.taken;
        meter.elements.taken = self.elements.taken;
        meter
    }
}

impl ResourceLimiter for Meter {
    fn memory_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        if maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        self.memory_denied |= !self.memory.take(desired.saturating_sub(current));
        Ok(!self.memory_denied)
    }

    fn table_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        if maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        Ok(self.elements.take(desired.saturating_sub(current)))
    }

    fn instances(&self) -> usize {
        INSTANCES
    }

    fn tables(&self) -> usize {
        TABLES
    }

    fn memories(&self) -> usize {
        MEMORIES
    }
}

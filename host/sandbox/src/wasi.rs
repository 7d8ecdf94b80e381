//! The few WASI interfaces that a language's run-time asks for itself. Without a grant each gives a fixed, empty answer:
//! no arguments, no environment, no folders, a clock that stands still, the same random bytes every time.

use crate::grants::Grants;
use crate::limits::{RANDOM_BYTES, RESOURCES, STDIO_BYTES};
use crate::state::State;
use std::time::Duration;
use wasmtime::component::{HasData, HasSelf, Linker, ResourceTable};
use wasmtime_wasi::cli::{WasiCli, WasiCliView};
use wasmtime_wasi::clocks::{HostMonotonicClock, HostWallClock, WasiClocks, WasiClocksView};
use wasmtime_wasi::filesystem::{WasiFilesystem, WasiFilesystemView};
use wasmtime_wasi::p1::WasiP1Ctx;
use wasmtime_wasi::p2::bindings;
use wasmtime_wasi::p2::pipe::MemoryOutputPipe;
use wasmtime_wasi::random::Deterministic;
use wasmtime_wasi::{WasiCtxBuilder, WasiCtxView, WasiView};

/// A store's WASI state, made when the component imports WASI at all; a plain program brings its own.
#[derive(Default)]
pub(crate) struct Wasi {
    made: Option<Box<WasiP1Ctx>>,
}

impl Wasi {
    pub(crate) fn of(ctx: WasiP1Ctx) -> Self {
        Wasi {
            made: Some(Box::new(ctx)),
        }
    }
}

impl State {
    /// The same for the imports of preview 1.
    pub(crate) fn preview_1(&mut self) -> &mut WasiP1Ctx {
        self.wasi_work();
        let grants = &self.grants;
        self.wasi.made.get_or_insert_with(|| Box::new(make(grants)))
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        self.preview_1().ctx()
    }
}

fn make(grants: &Grants) -> WasiP1Ctx {
    let mut builder = WasiCtxBuilder::new();
    builder
        .max_random_size(RANDOM_BYTES)
        .stderr(MemoryOutputPipe::new(STDIO_BYTES));
    if !grants.clock {
        builder.wall_clock(Still).monotonic_clock(Still);
    }
    if !grants.random {
        builder
            .secure_random(Deterministic::new(vec![0]))
            .insecure_random(Deterministic::new(vec![0]));
        builder.insecure_random_seed(0);
    }
    for name in &grants.env {
        if let Ok(value) = std::env::var(name) {
            builder.env(name, value);
        }
    }
    bounded(&mut builder)
}

/// What the builder makes, with a bounded table of resources.
pub(crate) fn bounded(builder: &mut WasiCtxBuilder) -> WasiP1Ctx {
    let mut ctx = builder.build_p1();
    ctx.ctx().table.set_max_capacity(RESOURCES);
    ctx
}

/// A clock that stands still.
struct Still;

impl HostWallClock for Still {
    fn resolution(&self) -> Duration {
        Duration::from_secs(1)
    }
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

impl HostMonotonicClock for Still {
    fn resolution(&self) -> u64 {
        1_000_000_000
    }
    fn now(&self) -> u64 {
        0
    }
}

struct Io;
impl HasData for Io {
    type Data<'a> = &'a mut ResourceTable;
}

/// Links the WASI interface `name` (`cli/environment`), or says that hookbox does not offer it.
pub(crate) fn link(linker: &mut Linker<State>, name: &str) -> wasmtime::Result<bool> {
    let l = linker;
    match name {
        "cli/environment" => bindings::cli::environment::add_to_linker::<State, WasiCli>(l, State::cli)?,
        "cli/exit" => bindings::cli::exit::add_to_linker::<State, WasiCli>(l, State::cli)?,
        "cli/stdin" => bindings::cli::stdin::add_to_linker::<State, WasiCli>(l, State::cli)?,
        "cli/stdout" => bindings::cli::stdout::add_to_linker::<State, WasiCli>(l, State::cli)?,
        "cli/stderr" => bindings::cli::stderr::add_to_linker::<State, WasiCli>(l, State::cli)?,
        "cli/terminal-input" => bindings::cli::terminal_input::add_to_linker::<State, WasiCli>(l, State::cli)?,
        "cli/terminal-output" => bindings::cli::terminal_output::add_to_linker::<State, WasiCli>(l, State::cli)?,
        "cli/terminal-stdin" => bindings::cli::terminal_stdin::add_to_linker::<State, WasiCli>(l, State::cli)?,
        "cli/terminal-stdout" => bindings::cli::terminal_stdout::add_to_linker::<State, WasiCli>(l, State::cli)?,
        "cli/terminal-stderr" => bindings::cli::terminal_stderr::add_to_linker::<State, WasiCli>(l, State::cli)?,
        "clocks/wall-clock" => bindings::clocks::wall_clock::add_to_linker::<State, WasiClocks>(l, State::clocks)?,
        "clocks/monotonic-clock" => {
            bindings::clocks::monotonic_clock::add_to_linker::<State, WasiClocks>(l, State::clocks)?;
        }
        "random/random" => bindings::random::random::add_to_linker::<State, HasSelf<State>>(l, |t| t)?,
        "random/insecure" => {
            bindings::random::insecure::add_to_linker::<State, HasSelf<State>>(l, |t| t)?;
        }
        "random/insecure-seed" => {
            bindings::random::insecure_seed::add_to_linker::<State, HasSelf<State>>(l, |t| t)?;
        }
        "filesystem/preopens" => {
            bindings::filesystem::preopens::add_to_linker::<State, WasiFilesystem>(l, State::filesystem)?;
        }
        "filesystem/types" => {
            bindings::filesystem::types::add_to_linker::<State, WasiFilesystem>(l, State::filesystem)?;
        }
        "io/error" => bindings::io::error::add_to_linker::<State, Io>(l, |t| t.ctx().table)?,
        "io/poll" => bindings::io::poll::add_to_linker::<State, Io>(l, |t| t.ctx().table)?,
        "io/streams" => bindings::io::streams::add_to_linker::<State, Io>(l, |t| t.ctx().table)?,
        _ => return Ok(false),
    }
    Ok(true)
}

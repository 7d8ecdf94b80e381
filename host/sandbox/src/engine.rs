//! The one place that configures wasmtime. The side that compiles and the side that runs must agree, or what one wrote
//! the other refuses.

use crate::limits;
use crate::os::Stacks;
use std::sync::Arc;
use wasmtime::{Config, Engine, WasmBacktraceDetails};

/// Names what a compiled plugin depends on besides its bytes, settings and processor (wasmtime checks the processor
/// itself when it loads one). Raised by hand when `config` or what `prepare` does changes.
pub(crate) const ENGINE_ID: &str = concat!("hookbox ", env!("CARGO_PKG_VERSION"), " wasmtime 48 config 2");

/// Which half of the work an engine is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Compiles and configures plugins, once. Loads the compiler.
    Prepare,
    /// Maps and calls prepared plugins. Has no compiler.
    Run,
}

/// An engine in one of its two modes.
#[derive(Clone)]
pub struct Sandbox {
    pub(crate) engine: Engine,
}

impl Sandbox {
    /// # Errors
    /// The processor or system lacks what wasmtime needs; the text is wasmtime's.
    pub fn new(mode: Mode) -> Result<Self, String> {
        let mut config = config();
        config.enable_compiler(mode == Mode::Prepare);
        let engine = Engine::new(&config).map_err(|error| format!("the WebAssembly engine cannot start: {error:#}"))?;
        Ok(Sandbox { engine })
    }
}

/// Shared by both modes. Fuel interrupts loops and, by yielding, lets the deadline be looked at: no epochs are needed,
/// which saves their code and a ticking thread.
fn config() -> Config {
    let mut config = Config::new();
    config
        .wasm_component_model(true)
        .consume_fuel(true)
        .wasm_memory64(false)
        .wasm_relaxed_simd(false)
        .max_wasm_stack(limits::WASM_STACK)
        .async_stack_size(limits::FIBER_STACK)
        .with_host_stack(Arc::new(Stacks::default()))
        .memory_init_cow(true)
        .native_unwind_info(false)
        .generate_address_map(false)
        .wasm_backtrace_max_frames(None)
        .wasm_backtrace_details(WasmBacktraceDetails::Disable);
    config
}

//! The one place that configures wasmtime. The side that compiles and the side that runs must agree, or what one wrote
//! the other refuses.

use crate::limits;
use crate::os::Stacks;
use std::sync::Arc;
use wasmtime::{Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, WasmBacktraceDetails};

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
    /// The same for a host that goes on: instances come from a pool, where the machine lets there be one.
    Resident,
}

/// An engine in one of its modes.
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
        if mode == Mode::Resident {
            let mut pooled = config.clone();
            pooled.allocation_strategy(InstanceAllocationStrategy::Pooling(pool()));
            if let Ok(engine) = Engine::new(&pooled) {
                return Ok(Sandbox { engine });
            }
        }
        let engine = Engine::new(&config).map_err(|error| format!("the WebAssembly engine cannot start: {error:#}"))?;
        Ok(Sandbox { engine })
    }
}

/// Instances that can be there at once in a resident host: more than connections can ask for.
const POOL: u32 = 1024;
/// Bytes of a memory that stay in place, put back as they were, for the next instance: what a small event touches.
const MEMORY_KEPT: usize = 1 << 20;
/// The same of tables and of stacks.
const KEPT: usize = 16 << 10;
/// Elements that a table can have: as many as any host of WebAssembly lets it have.
const TABLE_ELEMENTS: usize = 10_000_000;

/// Room for [`POOL`] instances of whatever could be prepared. It is address space: memory is taken as it is used.
fn pool() -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(POOL)
        .total_core_instances(8 * POOL)
        .max_core_instances_per_component(limits::INSTANCES as u32)
        .max_component_instance_size(1 << 30)
        .max_core_instance_size(1 << 30)
        .total_memories(POOL)
        .max_memories_per_component(limits::MEMORIES as u32)
        .max_memories_per_module(limits::MEMORIES as u32)
        .max_memory_size(4 << 30)
        .linear_memory_keep_resident(MEMORY_KEPT)
        .total_tables(4 * POOL)
        .max_tables_per_component(limits::TABLES as u32)
        .max_tables_per_module(limits::TABLES as u32)
        .table_elements(TABLE_ELEMENTS)
        .table_keep_resident(KEPT)
        .total_stacks(POOL)
        .async_stack_keep_resident(KEPT)
        .pagemap_scan(Enabled::Auto);
    pool
}

/// Shared by all modes. Fuel interrupts loops and, by yielding, lets the deadline be looked at: no epochs are needed,
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

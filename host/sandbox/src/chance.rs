//! WASI's random bytes, bounded over an event: a call alone is bounded by WASI, any number of them is not.

use crate::limits::RANDOM_BYTES;
use crate::state::State;
use wasmtime_wasi::WasiView;
use wasmtime_wasi::p2::bindings::random::{insecure, insecure_seed, random};

impl State {
    /// Counts what is asked for before any of it is made.
    fn chance(&mut self, bytes: u64) -> wasmtime::Result<()> {
        self.work(0, 1)?;
        match self.random_left.checked_sub(bytes) {
            Some(left) => self.random_left = left,
            None => {
                let message = format!("more than {RANDOM_BYTES} random bytes in one event");
                return Err(wasmtime::Error::msg(message));
            }
        }
        Ok(())
    }
}

impl random::Host for State {
    fn get_random_bytes(&mut self, len: u64) -> wasmtime::Result<Vec<u8>> {
        self.chance(len)?;
        self.ctx().ctx.random().get_random_bytes(len)
    }

    fn get_random_u64(&mut self) -> wasmtime::Result<u64> {
        self.chance(8)?;
        self.ctx().ctx.random().get_random_u64()
    }
}

impl insecure::Host for State {
    fn get_insecure_random_bytes(&mut self, len: u64) -> wasmtime::Result<Vec<u8>> {
        self.chance(len)?;
        self.ctx().ctx.random().get_insecure_random_bytes(len)
    }

    fn get_insecure_random_u64(&mut self) -> wasmtime::Result<u64> {
        self.chance(8)?;
        self.ctx().ctx.random().get_insecure_random_u64()
    }
}

impl insecure_seed::Host for State {
    fn insecure_seed(&mut self) -> wasmtime::Result<(u64, u64)> {
        self.chance(16)?;
        self.ctx().ctx.random().insecure_seed()
    }
}

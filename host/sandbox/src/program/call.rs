//! Runs a plain program on one event, to its end or to its limits.

use super::surroundings::{self, Said};
use super::{Entry, Finished, Program};
use crate::Fault;
use crate::instance::{self, EventContext};
use crate::limits::STDIO_BYTES;
use crate::state::State;
use crate::wasi::Wasi;
use std::sync::Arc;
use wasmtime::Store;
use wasmtime_wasi::I32Exit;

impl Program {
    /// Runs the program with `stdin`. Never longer than its deadline, whatever it does.
    pub fn call(&self, event: &Arc<EventContext>, stdin: Vec<u8>) -> Finished {
        let said = Said::default();
        let mut fuel = 0;
        let exit = self.run(event, stdin, &said, &mut fuel);
        let (stdout, stderr) = (said.stdout.contents(), said.stderr.contents());
        // Whatever else became of it: half of what it said must not be read as all of it.
        let exit = match [("stdout", &stdout), ("stderr", &stderr)]
            .iter()
            .find(|(_, text)| text.len() > STDIO_BYTES)
        {
            Some((what, text)) => Err(Fault::TooLarge {
                what,
                size: text.len(),
                limit: STDIO_BYTES,
            }),
            None => exit,
        };
        Finished {
            exit,
            stdout: stdout.to_vec(),
            stderr: stderr.to_vec(),
            fuel,
        }
    }

    fn run(&self, event: &Arc<EventContext>, stdin: Vec<u8>, said: &Said, fuel: &mut u64) -> Result<i32, Fault> {
        let limits = &self.limits;
        let mut store = instance::new_store(&self.engine, limits, limits.fuel, event, &self.grants)?;
        let ctx = surroundings::make(stdin, said, &event.event().project, &self.settings, &self.grants);
        let ctx = ctx.map_err(|error| Fault::NotLoaded(format!("a granted folder cannot be opened: {error:#}")))?;
        store.data_mut().wasi = Wasi::of(ctx);
        let over = Arc::clone(&store.data().over);
        let ended = instance::within(limits, true, instance::until(over, self.enter(&mut store)));
        *fuel = limits.fuel - store.get_fuel().unwrap_or(0);
        match ended?? {
            Ok(code) => Ok(code),
            Err(error) => match error.downcast_ref::<I32Exit>() {
                Some(exit) => Ok(exit.0),
                None => Err(instance::fault(&error, limits, limits.fuel, &store)),
            },
        }
    }

    /// The exit code of a program that comes back from where it began.
    async fn enter(&self, store: &mut Store<State>) -> wasmtime::Result<i32> {
        match &self.entry {
            Entry::Module(pre) => {
                let instance = pre.instantiate_async(&mut *store).await?;
                store.data_mut().started = true;
                let start = instance.get_typed_func::<(), ()>(&mut *store, "_start")?;
                start.call_async(store, ()).await?;
                Ok(0)
            }
            Entry::Component(pre, run) => {
                let instance = pre.instantiate_async(&mut *store).await?;
                store.data_mut().started = true;
                let run = instance.get_typed_func::<(), (Result<(), ()>,)>(&mut *store, run)?;
                let (ended,) = run.call_async(store, ()).await?;
                Ok(i32::from(ended.is_err()))
            }
        }
    }
}

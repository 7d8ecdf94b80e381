//! Freezes what `configure` left into the component, so that no event pays for it.

use crate::bindings::PluginWithGrants;
use crate::error::PrepareError;
use crate::instance::{self, EventContext};
use crate::limits::{CONFIGURE_FUEL, HOST_CALL_BYTES, Limits, PREPARE_TIME};
use crate::linker;
use crate::prepare::Job;
use crate::state::State;
use hookbox_protocol::Event;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use wasmtime::component::{Component, Instance, Lift, WasmList};
use wasmtime::{Engine, Store};
use wasmtime_wizer::{ComponentInstanceState, Wizer};

/// A component that holds its configured state, or why there is none.
pub(crate) enum Snapshot {
    Taken(Vec<u8>),
    /// It runs all the same, configured anew for each event.
    Impossible(String),
}

/// Runs `configure(settings)` under the plugin's limits and snapshots what it leaves.
pub(crate) fn take(engine: &Engine, job: &Job<'_>, no_handler: Option<PrepareError>) -> Result<Snapshot, PrepareError> {
    let limits = job.limits;
    let mut wizer = Wizer::new();
    wizer.keep_init_func(true);
    let (context, instrumented) = match wizer.instrument_component(job.wasm) {
        Ok(both) => both,
        Err(error) => {
            configure(engine, job.wasm, job, no_handler)?;
            return Ok(Snapshot::Impossible(format!("{error:#}")));
        }
    };
    let (mut store, instance) = configure(engine, &instrumented, job, no_handler)?;
    // All of its memory comes out in one call: the bound on what a plugin may pass in one is not meant for that.
    store.set_hostcall_fuel(limits.memory.saturating_mul(2).max(HOST_CALL_BYTES));
    let snapshot = std::panic::catch_unwind(AssertUnwindSafe(|| {
        let reader = &mut Reader {
            store: &mut store,
            instance,
        };
        instance::within(
            &prepare_limits(limits),
            false,
            wizer.snapshot_component(&context, reader),
        )
    }));
    match snapshot {
        Ok(snapshot) => match snapshot.map_err(PrepareError::Configure)? {
            Ok(wasm) => Ok(Snapshot::Taken(wasm)),
            Err(error) => Ok(Snapshot::Impossible(format!("{error:#}"))),
        },
        Err(panic) => Ok(Snapshot::Impossible(
            panic.downcast_ref::<String>().cloned().unwrap_or_default(),
        )),
    }
}

fn prepare_limits(limits: &Limits) -> Limits {
    Limits {
        deadline: PREPARE_TIME,
        fuel: CONFIGURE_FUEL,
        ..*limits
    }
}

/// Configures an instance. An `err` of the plugin is an error in its settings.
fn configure(
    engine: &Engine,
    wasm: &[u8],
    job: &Job<'_>,
    no_handler: Option<PrepareError>,
) -> Result<(Store<State>, Instance), PrepareError> {
    let component = Component::new(engine, wasm).map_err(|error| PrepareError::Compile(format!("{error:#}")))?;
    let (linker, waits) = linker::link(engine, &component, job.grants)?;
    if let Some(error) = no_handler {
        return Err(error);
    }
    let limits = prepare_limits(job.limits);
    let settings = job.settings.to_string();
    let event = Arc::new(EventContext::new(Arc::new(no_event()), String::new(), None));
    let mut store = instance::new_store(engine, &limits, limits.fuel, &event, &Arc::new(job.grants.clone()))
        .map_err(PrepareError::Configure)?;
    let over = Arc::clone(&store.data().over);
    let called = instance::until(over, async {
        let instance = linker.instantiate_async(&mut store, &component).await?;
        let plugin = match PluginWithGrants::new(&mut store, &instance) {
            Ok(plugin) => plugin,
            Err(error) => return Ok(Err(PrepareError::NoHandler(format!("{error:#}")))),
        };
        let configured = plugin
            .hookbox_hook_handler()
            .call_configure(&mut store, &settings)
            .await?;
        Ok::<_, wasmtime::Error>(configured.map(|()| instance).map_err(PrepareError::Settings))
    });
    let called = instance::within(&limits, waits, called).and_then(std::convert::identity);
    let called = called.map_err(PrepareError::Configure)?;
    let instance =
        called.map_err(|error| PrepareError::Configure(instance::fault(&error, &limits, limits.fuel, &store)))??;
    Ok((store, instance))
}

/// `configure` sees no event.
fn no_event() -> Event {
    Event {
        agent: String::new(),
        name: String::new(),
        session: String::new(),
        cwd: String::new(),
        project: String::new(),
        tool: None,
        prompt: None,
        payload: serde_json::Value::Null,
    }
}

/// Reads the state of an instrumented instance through the functions that the instrumentation exports.
struct Reader<'a> {
    store: &'a mut Store<State>,
    instance: Instance,
}

impl Reader<'_> {
    async fn call<R: Lift + Send + 'static>(&mut self, instance: &str, func: &str) -> wasmtime::Result<R> {
        let missing = || wasmtime::Error::msg(format!("no export {instance}#{func}"));
        let (_, outer) = self
            .instance
            .get_export(&mut *self.store, None, instance)
            .ok_or_else(missing)?;
        let (_, export) = self
            .instance
            .get_export(&mut *self.store, Some(&outer), func)
            .ok_or_else(missing)?;
        let func = self.instance.get_typed_func::<(), (R,)>(&mut *self.store, export)?;
        Ok(func.call_async(&mut *self.store, ()).await?.0)
    }
}

/// Ends the preparation with this message: the trait of the snapshot's reader cannot return one.
fn give_up(error: &wasmtime::Error) -> ! {
    std::panic::resume_unwind(Box::new(format!("the snapshot cannot be read: {error:#}")))
}

impl ComponentInstanceState for Reader<'_> {
    async fn call_func_ret_list_u8(&mut self, instance: &str, func: &str, contents: impl FnOnce(&[u8]) + Send) {
        match self.call::<WasmList<u8>>(instance, func).await {
            Ok(list) => contents(list.as_le_slice(&*self.store)),
            Err(error) => give_up(&error),
        }
    }

    async fn call_func_ret_s32(&mut self, instance: &str, func: &str) -> i32 {
        self.call(instance, func).await.unwrap_or_else(|error| give_up(&error))
    }

    async fn call_func_ret_s64(&mut self, instance: &str, func: &str) -> i64 {
        self.call(instance, func).await.unwrap_or_else(|error| give_up(&error))
    }

    async fn call_func_ret_f32(&mut self, instance: &str, func: &str) -> u32 {
        self.call::<f32>(instance, func)
            .await
            .unwrap_or_else(|error| give_up(&error))
            .to_bits()
    }

    async fn call_func_ret_f64(&mut self, instance: &str, func: &str) -> u64 {
        self.call::<f64>(instance, func)
            .await
            .unwrap_or_else(|error| give_up(&error))
            .to_bits()
    }
}

//! Calls a prepared plugin on one event, in a fresh instance, under its limits.

use crate::bindings::hookbox::hook::types as wit;
use crate::bindings::{PluginWithGrants, PluginWithGrantsPre};
use crate::error::{Fault, PrepareError};
use crate::grants::Grants;
use crate::limits::{FUEL_YIELD, HANDLES, HOST_CALL_BYTES, Limits};
use crate::linker;
use crate::state::{Refused, State};
use crate::translate::{event_of, output_of, own_error};
use crate::world::World;
use hookbox_protocol::{Action, Event, Output};
use hookbox_shell::Analysis;
use serde_json::Value;
use std::future::{Future, poll_fn};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Instant;
use wasmtime::component::Component;
use wasmtime::{Engine, Store, Trap};

/// A command line and its shell.
type Line = (String, String);

/// An event as all plugins of it see it. Shared: what one asks for, the next finds ready.
pub struct EventContext {
    event: Arc<Event>,
    home: String,
    /// The file of `state`.
    values: Option<PathBuf>,
    world: World,
    /// Command and shell, and what they would run.
    analyses: Mutex<Vec<(Line, Arc<Analysis>)>>,
}

impl EventContext {
    /// `home`: the user's home directory; empty where there is none. `values`: the file that plugins' state is kept in.
    pub fn new(event: Arc<Event>, home: String, values: Option<PathBuf>) -> Self {
        EventContext {
            event,
            home,
            values,
            world: World::default(),
            analyses: Mutex::default(),
        }
    }

    /// The same event in a test's own world.
    #[must_use]
    pub fn in_world(mut self, world: World) -> Self {
        self.world = world;
        self
    }

    /// What stands in the place of this machine.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Whether there is no event yet: a plugin is configured.
    pub(crate) fn is_none(&self) -> bool {
        self.event.name.is_empty()
    }

    /// The event itself.
    pub fn event(&self) -> &Event {
        &self.event
    }

    pub(crate) fn values(&self) -> Option<&Path> {
        self.values.as_deref()
    }

    pub(crate) fn payload_text(&self, pointer: &str) -> Option<String> {
        self.event.payload.pointer(pointer).map(Value::to_string)
    }

    /// The content of the write with this number.
    pub(crate) fn content(&self, number: u32) -> Option<Arc<str>> {
        let actions = &self.event.tool.as_ref()?.actions;
        match actions.get(usize::try_from(number).ok()?)? {
            Action::Write(write) => write.content.clone(),
            _ => None,
        }
    }

    /// Each command line is analysed once for all plugins.
    pub(crate) fn analyze(&self, command: &str, shell: &str) -> Arc<Analysis> {
        let mut known = self.analyses.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, analysis)) = known.iter().find(|((c, s), _)| c == command && s == shell) {
            return Arc::clone(analysis);
        }
        let analysis = Arc::new(hookbox_shell::analyze(command, shell));
        // A plugin may ask about any number of texts; those of the event come first and stay.
        if known.len() < 64 {
            known.push(((command.into(), shell.into()), Arc::clone(&analysis)));
        }
        analysis
    }
}

/// A plugin that can be called.
#[derive(Clone)]
pub struct Plugin {
    engine: Engine,
    pre: PluginWithGrantsPre<State>,
    grants: Arc<Grants>,
    limits: Limits,
    /// Set where the plugin could not be snapshotted: it is configured anew for each event.
    configure: Option<String>,
    /// Whether a host call of it can wait for something outside.
    waits: bool,
    /// Whether it is one of those that its component stands for.
    part: bool,
}

/// The instance of an event that the parts of one component are called in, one after the other. None of another event: it is made
/// for this one and ends with it.
#[derive(Default)]
pub struct Instances(Mutex<Option<Live>>);

/// An instance between two calls.
struct Live {
    /// Where the code of its component lies.
    code: usize,
    store: Store<State>,
    plugin: PluginWithGrants,
}

impl Instances {
    fn kept(&self) -> MutexGuard<'_, Option<Live>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The instance of the component that this is a part of, where no other part is in it.
    fn take(&self, plugin: &Plugin) -> Option<Live> {
        self.kept().take_if(|live| plugin.part && live.code == plugin.code())
    }
}

/// What a call gave, with what it cost.
#[derive(Debug)]
pub struct Answer {
    pub output: Result<Output, Fault>,
    /// Units of fuel used.
    pub fuel: u64,
    /// The plugin's log lines.
    pub log: Vec<String>,
}

impl Plugin {
    pub(crate) fn new(
        engine: &Engine,
        component: &Component,
        grants: Grants,
        limits: Limits,
        configure: Option<String>,
    ) -> Result<Self, PrepareError> {
        let (linker, waits) = linker::link(engine, component, &grants)?;
        let pre = linker.instantiate_pre(component).and_then(PluginWithGrantsPre::new);
        let pre = pre.map_err(|error| PrepareError::Compile(format!("{error:#}")))?;
        Ok(Plugin {
            engine: engine.clone(),
            pre,
            grants: Arc::new(grants),
            limits,
            configure,
            waits,
            part: false,
        })
    }

    /// The same component under other grants and limits: one of those that it stands for. What it imports is linked; a file that
    /// these grants do not have is refused by the host. The parts of one event share an instance.
    #[must_use]
    pub fn part(&self, grants: Grants, limits: Limits) -> Self {
        Plugin {
            grants: Arc::new(grants),
            limits,
            part: true,
            ..self.clone()
        }
    }

    /// Where the code of its component lies.
    fn code(&self) -> usize {
        self.pre.instance_pre().component().image_range().start as usize
    }

    /// Asks the plugin, as the one of this name, about the event. Never longer than its deadline, whatever the plugin does.
    /// `instances`: those of this event.
    pub fn call(&self, name: &str, event: &Arc<EventContext>, instances: &Instances) -> Answer {
        let store = match instances.take(self) {
            None => {
                new_store(&self.engine, &self.limits, self.limits.fuel, event, &self.grants).map(|store| (store, None))
            }
            Some(Live { store, plugin, .. }) => self.again(store, event).map(|store| (store, Some(plugin))),
        };
        let (mut store, plugin) = match store {
            Ok(store) => store,
            Err(fault) => {
                return Answer {
                    output: Err(fault),
                    fuel: 0,
                    log: Vec::new(),
                };
            }
        };
        let over = Arc::clone(&store.data().over);
        let call = until(over, self.call_in(&mut store, plugin, name, event.event(), &event.home));
        let called = within(&self.limits, self.waits, call)
            .and_then(std::convert::identity)
            .and_then(|result| result.map_err(|error| fault(&error, &self.limits, self.limits.fuel, &store)));
        let fuel = self.limits.fuel - store.get_fuel().unwrap_or(0);
        let log = std::mem::take(&mut store.data_mut().log).into_lines();
        let output = called.and_then(|called| match called {
            Err(settings) => Err(own_error(settings)),
            Ok((plugin, answer)) => {
                if self.part {
                    let code = self.code();
                    *instances.kept() = Some(Live { code, store, plugin });
                }
                output_of(answer.map_err(own_error)?, self.limits.answer)
            }
        });
        Answer { output, fuel, log }
    }

    /// The store for another call: as new, but for what lies in its memory.
    fn again(&self, mut store: Store<State>, event: &Arc<EventContext>) -> Result<Store<State>, Fault> {
        store.data_mut().again(&self.limits, event, &self.grants);
        let ready = store.set_fuel(self.limits.fuel);
        ready.map_err(|error| Fault::Trap(format!("{error:#}")))?;
        Ok(store)
    }

    /// What it answers, and the instance; or what is wrong with its settings.
    async fn call_in(
        &self,
        store: &mut Store<State>,
        plugin: Option<PluginWithGrants>,
        name: &str,
        event: &Event,
        home: &str,
    ) -> wasmtime::Result<Result<(PluginWithGrants, Result<wit::Output, String>), String>> {
        let plugin = match plugin {
            Some(plugin) => plugin,
            None => {
                let plugin = self.pre.instantiate_async(&mut *store).await?;
                store.data_mut().started = true;
                if let Some(settings) = &self.configure
                    && let Err(message) = plugin
                        .hookbox_hook_handler()
                        .call_configure(&mut *store, settings)
                        .await?
                {
                    return Ok(Err(format!("settings: {message}")));
                }
                plugin
            }
        };
        let event = event_of(name, event, home);
        let answer = plugin.hookbox_hook_handler().call_handle(store, &event).await?;
        Ok(Ok((plugin, answer)))
    }
}

/// A store under the limits of one call.
pub(crate) fn new_store(
    engine: &Engine,
    limits: &Limits,
    fuel: u64,
    event: &Arc<EventContext>,
    grants: &Arc<Grants>,
) -> Result<Store<State>, Fault> {
    let mut store = Store::new(engine, State::new(limits, Arc::clone(event), Arc::clone(grants)));
    store.limiter(|state| &mut state.meter);
    store.set_hostcall_fuel(HOST_CALL_BYTES);
    store.set_max_component_handles(HANDLES);
    let ready = store
        .set_fuel(fuel)
        .and_then(|()| store.fuel_async_yield_interval(Some(FUEL_YIELD)));
    ready.map_err(|error| Fault::Trap(format!("{error:#}")))?;
    Ok(store)
}

/// Runs `call` to its end or to the deadline. The future is dropped at the deadline, and with it the instance.
///
/// A call that waits for nothing outside only ever pauses to let the clock be looked at, and needs no runtime; `waits` is
/// for those whose host calls can take time.
pub(crate) fn within<T>(limits: &Limits, waits: bool, call: impl Future<Output = T>) -> Result<T, Fault> {
    if !waits {
        let deadline = Instant::now().checked_add(limits.deadline);
        let mut call = pin!(call);
        let mut context = Context::from_waker(Waker::noop());
        loop {
            match call.as_mut().poll(&mut context) {
                Poll::Ready(value) => return Ok(value),
                Poll::Pending if deadline.is_some_and(|deadline| Instant::now() >= deadline) => {
                    return Err(Fault::TimedOut(limits.deadline.as_millis()));
                }
                Poll::Pending => {}
            }
        }
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.map_err(|error| Fault::Trap(format!("no runtime: {error}")))?;
    let timed = runtime.block_on(async { tokio::time::timeout(limits.deadline, call).await });
    // A thread of it may be opening a pipe that nobody writes to: it is not waited for.
    runtime.shutdown_background();
    timed.map_err(|_| Fault::TimedOut(limits.deadline.as_millis()))
}

/// `call`, or [`Fault::HostWork`] as soon as `over` is seen where it pauses: at the same unit of fuel on every machine.
pub(crate) async fn until<T>(over: Arc<AtomicBool>, call: impl Future<Output = T>) -> Result<T, Fault> {
    let mut call = pin!(call);
    poll_fn(|context| match call.as_mut().poll(context) {
        Poll::Ready(value) => Poll::Ready(Ok(value)),
        Poll::Pending if over.load(Ordering::Relaxed) => Poll::Ready(Err(Fault::HostWork)),
        Poll::Pending => Poll::Pending,
    })
    .await
}

/// What an error of wasmtime means.
pub(crate) fn fault(error: &wasmtime::Error, limits: &Limits, fuel: u64, store: &Store<State>) -> Fault {
    match store.data().refused {
        Some(Refused::Work) => return Fault::HostWork,
        Some(Refused::Deadline) => return Fault::TimedOut(limits.deadline.as_millis()),
        None => {}
    }
    match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => Fault::OutOfFuel(fuel),
        // A language's run-time answers a refused allocation with a trap of its own.
        _ if store.data().meter.memory_denied => Fault::OutOfMemory(limits.memory),
        Some(trap) => Fault::Trap(trap.to_string()),
        // The machine had no room for the instance: that is not the plugin's failure.
        None if !store.data().started => Fault::NotLoaded(format!("{error:#}")),
        None => Fault::Trap(format!("{error:#}")),
    }
}

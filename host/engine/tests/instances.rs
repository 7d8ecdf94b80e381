//! What lies in an instance when a plugin is called: nothing, but what another part of the same component left at the same event.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use hookbox::protocol::Event;
use hookbox_sandbox::{EventContext, Fault, Grants, Instances, Job, Limits, Loaded, Mode, Plugin, Sandbox};
use hookbox_tests::template;
use std::sync::Arc;

/// Fails where it was called before in this instance: by its memory, or by a page that it added.
const REMEMBERS: &str = "
(func $handle (param $event i32) (result i32)
  (if (i32.load (i32.const 60000)) (then (unreachable)))
  (i32.store (i32.const 60000) (i32.const 1))
  (if (i32.ne (memory.grow (i32.const 4)) (i32.const 2)) (then (unreachable)))
  (if (i32.load (i32.const 300000)) (then (unreachable)))
  (i32.store (i32.const 300000) (i32.const 1))
  (i32.const 1024))";

/// Takes a MiB more each time, and fails where there is none.
const GROWS: &str = "
(func $handle (param $event i32) (result i32)
  (if (i32.eq (memory.grow (i32.const 16)) (i32.const -1)) (then (unreachable)))
  (i32.const 1024))";

fn plugin(mode: Mode, text: &str, limits: Limits) -> Plugin {
    let wasm = template::component(text).unwrap();
    let grants = Grants::default();
    let job = Job {
        wasm: &wasm,
        settings: "{}",
        grants: &grants,
        limits: &limits,
    };
    let prepared = job.run().unwrap();
    match Sandbox::new(mode).unwrap().plugin(&prepared, "{}", &grants, &limits) {
        Ok(Loaded::Plugin(plugin)) => plugin,
        _ => panic!("it is a plugin"),
    }
}

fn event() -> Arc<EventContext> {
    let payload = serde_json::json!({ "hook_event_name": "PreToolUse", "cwd": "/", "tool_name": "Read", "tool_input": { "file_path": "a" } });
    let engine = hookbox::Engine::load(hookbox::Options::default());
    let event: Event = engine.decode("claude-code", payload.to_string()).unwrap();
    Arc::new(EventContext::new(Arc::new(event), String::new(), None))
}

fn call(plugin: &Plugin, event: &Arc<EventContext>, instances: &Instances) -> Result<(), Fault> {
    plugin.call("p", event, instances).output.map(drop)
}

#[test]
fn an_instance_of_a_resident_host_is_as_new() {
    let (plugin, event) = (plugin(Mode::Resident, REMEMBERS, Limits::default()), event());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for turn in 0..100 {
                    let called = call(&plugin, &event, &Instances::default());
                    assert!(called.is_ok(), "{turn}: {called:?}");
                }
            });
        }
    });
}

#[test]
fn the_parts_of_an_event_share_an_instance_and_nothing_else_does() {
    for mode in [Mode::Run, Mode::Resident] {
        let (plugin, event) = (plugin(mode, REMEMBERS, Limits::default()), event());
        let [one, other] = [(); 2].map(|()| plugin.part(Grants::default(), Limits::default()));
        let instances = Instances::default();
        assert!(call(&one, &event, &instances).is_ok());
        // It finds what the first left, and fails: its instance is used no more.
        assert!(matches!(call(&other, &event, &instances), Err(Fault::Trap(_))));
        assert!(call(&other, &event, &instances).is_ok());
        assert!(call(&plugin, &event, &instances).is_ok(), "no part");
        assert!(call(&plugin, &event, &instances).is_ok(), "no part");
        assert!(call(&one, &event, &Instances::default()).is_ok(), "another event");
    }
}

#[test]
fn what_the_parts_take_of_the_memory_is_counted_together() {
    let limits = Limits {
        memory: 5 << 19,
        ..Limits::default()
    };
    let (plugin, event) = (plugin(Mode::Run, GROWS, limits), event());
    let instances = Instances::default();
    let part = || call(&plugin.part(Grants::default(), limits), &event, &instances);
    assert!(part().is_ok());
    assert!(part().is_ok());
    assert!(matches!(part(), Err(Fault::OutOfMemory(_))));
    assert!(part().is_ok(), "in a new one");
}

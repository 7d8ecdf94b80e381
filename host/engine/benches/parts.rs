//! What the parts of an event cost in a process that goes on: `cargo bench -p hookbox`.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use hookbox::protocol::config::{self, Layer, LayerFile, Layers};
use hookbox::protocol::{Dialect, dialects, merge};
use hookbox::sandbox::{EventContext, Grants, Instances, Job, Limits, Loaded, Mode, Sandbox};
use hookbox::{DEFAULT_CONFIG, Engine, Options};
use hookbox_tests::template;
use serde_json::json;
use std::hint::black_box;
use std::sync::Arc;

fn event(command: &str) -> Vec<u8> {
    let event = json!({
        "session_id": "s", "transcript_path": "/home/user/s.jsonl", "cwd": "/home/user/demo", "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": "t",
    });
    event.to_string().into_bytes()
}

/// An engine that nothing of this machine is configured in; it prepares in this process, into a folder of its own.
fn engine(folder: &std::path::Path) -> Engine {
    Engine::load(Options {
        cache: Some(folder.join("cache")),
        state: Some(folder.join("state")),
        home: Some(folder.to_path_buf()),
        user: Some(folder.join("config")),
        ..Options::default()
    })
}

fn parts(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(folder.path());
    let payload = event("git status && ls -la src");
    let decoded = || {
        engine
            .decode("claude-code", &payload)
            .unwrap_or_else(|_| panic!("it is an event"))
    };

    criterion.bench_function("decode", |b| b.iter(|| black_box(decoded())));
    let long =
        "cd /tmp && sudo env A=1 sh -c 'for i in 1 2; do echo \"$i\" | tee out.txt; done' && git push origin main";
    criterion.bench_function("shell analysis, short", |b| {
        b.iter(|| black_box(hookbox_shell::analyze("git status && ls -la src", "bash")));
    });
    criterion.bench_function("shell analysis, long", |b| {
        b.iter(|| black_box(hookbox_shell::analyze(long, "bash")));
    });
    criterion.bench_function("read a configuration", |b| {
        b.iter(|| black_box(config::parse(DEFAULT_CONFIG, "default")));
    });
    let layers = Layers::with_default(Vec::new(), || LayerFile {
        layer: Layer::User,
        trusted: true,
        file: "default".into(),
        parsed: config::parse(DEFAULT_CONFIG, "default"),
    });
    let one = decoded();
    criterion.bench_function("select", |b| {
        b.iter(|| black_box(config::select(&layers, Dialect::ClaudeCode, &one)));
    });

    let verdict = engine.answer(decoded());
    assert_eq!(verdict.response.exit, 0, "{verdict:?}");
    let outputs: Vec<_> = verdict.told.iter().map(|told| told.output.clone()).collect();
    criterion.bench_function("merge", |b| b.iter(|| black_box(merge::merge("PreToolUse", &outputs))));
    criterion.bench_function("encode", |b| {
        b.iter(|| black_box(dialects::encode_event(&one, &verdict.outcome)));
    });
    criterion.bench_function("whole event", |b| b.iter(|| black_box(engine.answer(decoded()))));

    warm_call(criterion, decoded());
}

/// A typed plugin that does nothing, in a fresh instance each time.
fn warm_call(criterion: &mut Criterion, event: hookbox::protocol::Event) {
    let wasm = template::component("(func $handle (param $event i32) (result i32) (i32.const 1024))").unwrap();
    let (grants, limits) = (Grants::default(), Limits::default());
    let job = Job {
        wasm: &wasm,
        settings: "{}",
        grants: &grants,
        limits: &limits,
    };
    let prepared = job.run().unwrap();
    let sandbox = Sandbox::new(Mode::Resident).unwrap();
    let Ok(Loaded::Plugin(plugin)) = sandbox.plugin(&prepared, "{}", &grants, &limits) else {
        panic!("it is a plugin");
    };
    let event = Arc::new(EventContext::new(Arc::new(event), "/home/user".into(), None));
    assert!(plugin.call("nothing", &event, &Instances::default()).output.is_ok());
    criterion.bench_function("warm call", |b| {
        b.iter(|| black_box(plugin.call("nothing", &event, &Instances::default())))
    });
}

criterion_group!(benches, parts);
criterion_main!(benches);

//! Compiles and links a plain program: WASI and nothing else.

use super::Program;
use crate::error::PrepareError;
use crate::grants::Grants;
use crate::limits::Limits;
use crate::linker;
use crate::scan::Kind;
use crate::state::State;
use std::path::Path;
use wasmtime::component::{Component, ComponentExportIndex};
use wasmtime::{Caller, Engine, Extern, Module};
use wasmtime_wasi::p1;
use wasmtime_wasi::p2::bindings::random::random::Host as _;

fn compiler(error: &wasmtime::Error) -> PrepareError {
    PrepareError::Compile(format!("{error:#}"))
}

/// The artefact of a program that can be linked; none of it has run.
pub(crate) fn compile(
    engine: &Engine,
    kind: Kind,
    wasm: &[u8],
    settings: &str,
    grants: &Grants,
    limits: &Limits,
) -> Result<Vec<u8>, PrepareError> {
    let compiled = if kind == Kind::Module {
        let module = Module::new(engine, wasm).map_err(|error| compiler(&error))?;
        Program::of_module(engine, &module, settings, grants, limits)?;
        module.serialize()
    } else {
        let component = Component::new(engine, wasm).map_err(|error| compiler(&error))?;
        Program::of_component(engine, &component, settings, grants, limits)?;
        component.serialize()
    };
    compiled.map_err(|error| compiler(&error))
}

/// A folder is all that WASI can be given: a file alone would need the folder it lies in.
fn check_grants(grants: &Grants) -> Result<(), PrepareError> {
    match grants.read.iter().find(|path| Path::new(path).is_file()) {
        Some(file) => Err(PrepareError::FileGrant(file.clone())),
        None => Ok(()),
    }
}

pub(super) fn component(
    engine: &Engine,
    component: &Component,
    grants: &Grants,
) -> Result<(wasmtime::component::InstancePre<State>, ComponentExportIndex), PrepareError> {
    check_grants(grants)?;
    let (linker, _) = linker::link(engine, component, grants)?;
    let missing = || PrepareError::NoHandler("export `wasi:cli/run`, or what `wit/hook-0.1.0` names".into());
    let interface = component
        .get_export_index(None, "wasi:cli/run@0.2.0")
        .ok_or_else(missing)?;
    let run = component
        .get_export_index(Some(&interface), "run")
        .ok_or_else(missing)?;
    let pre = linker.instantiate_pre(component).map_err(|error| compiler(&error))?;
    Ok((pre, run))
}

/// Writes random bytes at `at`, bounded over the event. 0: done.
#[allow(clippy::cast_sign_loss)]
fn random_get(mut caller: Caller<'_, State>, at: i32, bytes: i32) -> wasmtime::Result<i32> {
    let bytes = caller.data_mut().get_random_bytes(u64::from(bytes as u32))?;
    let memory = caller.get_export("memory").and_then(Extern::into_memory);
    let memory = memory.ok_or_else(|| wasmtime::Error::msg("the program exports no memory"))?;
    memory.write(&mut caller, at as u32 as usize, &bytes)?;
    Ok(0)
}

pub(super) fn module(
    engine: &Engine,
    module: &Module,
    grants: &Grants,
) -> Result<wasmtime::InstancePre<State>, PrepareError> {
    check_grants(grants)?;
    let start = module.get_export("_start");
    let starts = start.is_some_and(|start| {
        start
            .func()
            .is_some_and(|f| f.params().len() == 0 && f.results().len() == 0)
    });
    if !starts {
        return Err(PrepareError::NoStart);
    }
    let mut linker = wasmtime::Linker::new(engine);
    p1::add_to_linker_async(&mut linker, |state: &mut State| state.preview_1()).map_err(|error| compiler(&error))?;
    // Its own is bounded in one call, and not over an event.
    linker.allow_shadowing(true);
    linker
        .func_wrap("wasi_snapshot_preview1", "random_get", random_get)
        .map_err(|error| compiler(&error))?;
    linker
        .instantiate_pre(module)
        .map_err(|error| match error.downcast_ref::<wasmtime::UnknownImportError>() {
            Some(unknown) => PrepareError::UnknownImport(format!("{}#{}", unknown.module(), unknown.name())),
            None => compiler(&error),
        })
}

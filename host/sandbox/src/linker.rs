//! Links what a component imports and was granted, and nothing else.

use crate::bindings::hookbox::hook as wit;
use crate::error::PrepareError;
use crate::grants::{Grants, Needs};
use crate::state::State;
use crate::wasi;
use wasmtime::Engine;
use wasmtime::component::{Component, HasSelf, Linker};

/// A linker with the imports of this component, and whether one of them can wait for something outside.
pub(crate) fn link(
    engine: &Engine,
    component: &Component,
    grants: &Grants,
) -> Result<(Linker<State>, bool), PrepareError> {
    let mut linker = Linker::new(engine);
    let mut waits = false;
    for (name, _) in component.component_type().imports(engine) {
        add(&mut linker, name, grants)?;
        waits |= name.starts_with("wasi:") || name.starts_with("hookbox:hook/http@");
    }
    Ok((linker, waits))
}

/// The name without its version, where the version is one that this host speaks.
fn interface<'a>(name: &'a str, package: &str, versions: &str) -> Option<&'a str> {
    let (path, version) = name.strip_prefix(package)?.split_once('@')?;
    version.starts_with(versions).then_some(path)
}

fn add(linker: &mut Linker<State>, name: &str, grants: &Grants) -> Result<(), PrepareError> {
    let unknown = || PrepareError::UnknownImport(name.into());
    if let Some(path) = interface(name, "wasi:", "0.2.") {
        return match wasi::link(linker, path) {
            Ok(true) => Ok(()),
            _ => Err(unknown()),
        };
    }
    let path = interface(name, "hookbox:hook/", "0.1.").ok_or_else(unknown)?;
    let needs = match path {
        "types" | "log" | "payload" | "shell" => Needs::Nothing,
        "files" => Needs::Files,
        "state" => Needs::State,
        "http" => Needs::Http,
        "clock" => Needs::Clock,
        _ => return Err(unknown()),
    };
    if !needs.granted(grants) {
        return Err(PrepareError::NotGranted {
            import: name.into(),
            hint: needs.hint().into(),
        });
    }
    let linked = match path {
        "types" => wit::types::add_to_linker::<State, HasSelf<State>>(linker, |state| state),
        "log" => wit::log::add_to_linker::<State, HasSelf<State>>(linker, |state| state),
        "payload" => payload(linker, name),
        "shell" => wit::shell::add_to_linker::<State, HasSelf<State>>(linker, |state| state),
        "state" => wit::state::add_to_linker::<State, HasSelf<State>>(linker, |state| state),
        "http" => wit::http::add_to_linker::<State, HasSelf<State>>(linker, |state| state),
        "files" => wit::files::add_to_linker::<State, HasSelf<State>>(linker, |state| state),
        _ => wit::clock::add_to_linker::<State, HasSelf<State>>(linker, |state| state),
    };
    linked.map_err(|error| PrepareError::Compile(format!("import `{name}` cannot be linked: {error:#}")))
}

/// By hand: what `bindgen` makes would copy a large content once more before it hands it over.
fn payload(linker: &mut Linker<State>, name: &str) -> wasmtime::Result<()> {
    let mut payload = linker.instance(name)?;
    payload.func_wrap("get", |mut store, (pointer,): (String,)| {
        Ok((store.data_mut().payload(&pointer)?,))
    })?;
    payload.func_wrap("content", |mut store, (number,): (u32,)| {
        Ok((store.data_mut().content(number)?,))
    })
}

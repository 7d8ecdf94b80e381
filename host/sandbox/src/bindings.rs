//! What wasmtime makes of the contract: the host's side.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::all,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

wasmtime::component::bindgen!({
    world: "plugin-with-grants",
    path: "../../wit/hook-0.1.0",
    imports: {
        "hookbox:hook/http.send": async | trappable,
        default: trappable,
    },
    exports: { default: async },
});

//! What wit-bindgen makes of the contract.
#![allow(
    missing_docs,
    unsafe_code,
    unreachable_pub,
    clippy::all,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

wit_bindgen::generate!({
    world: "plugin-with-grants",
    path: "../../wit/hook-0.1.0",
    pub_export_macro: true,
    export_macro_name: "export_plugin",
    default_bindings_module: "hookbox_sdk::__private::bindings",
    generate_all,
    additional_derives: [PartialEq, Clone],
});

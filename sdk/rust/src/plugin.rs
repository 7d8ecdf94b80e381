//! What an author writes, and the glue that makes a component of it.

use crate::{Event, Guest, Host, Output};
use serde::de::DeserializeOwned;
use std::sync::OnceLock;

/// A plugin: made once from its settings, asked for each event.
pub trait Plugin: Sized + Send + Sync + 'static {
    /// The `settings` of the configuration entry. Use `#[serde(default, deny_unknown_fields)]`: no settings are `{}`,
    /// and a mistyped key is an error instead of silence.
    type Settings: DeserializeOwned;

    /// Called once, when the plugin is prepared: compile patterns, build tables. The state it leaves is snapshotted.
    ///
    /// # Errors
    /// What is wrong in the settings, where, and how to mend it.
    fn configure(settings: Self::Settings) -> Result<Self, String>;

    /// Called for each event, every time in a fresh instance of what `configure` left. The component imports only the
    /// abilities whose functions are called here; those behind a grant are refused unless the configuration grants them.
    ///
    /// # Errors
    /// A failure of the handler, not an answer: its `onFailure` decides.
    fn handle(&self, event: &Event, host: &impl Host) -> Result<Output, String>;
}

/// The glue behind [`export!`](crate::export): settings from their text.
#[doc(hidden)]
pub fn __configure<P: Plugin>(slot: &OnceLock<P>, settings: &str) -> Result<(), String> {
    let settings = if settings.trim().is_empty() { "{}" } else { settings };
    let settings = serde_json::from_str(settings).map_err(|error| format!("settings: {error}"))?;
    slot.set(P::configure(settings)?)
        .map_err(|_| "configured twice".to_string())
}

/// The glue behind [`export!`](crate::export): one event.
#[doc(hidden)]
pub fn __handle<P: Plugin>(slot: &OnceLock<P>, event: &Event) -> Result<Output, String> {
    slot.get().ok_or("not configured")?.handle(event, &Guest)
}

/// Makes the crate a component whose `handler` is this [`Plugin`]. On other targets than wasm32 it makes nothing, so
/// that the crate's tests are native.
#[macro_export]
macro_rules! export {
    ($plugin:ty) => {
        #[cfg(target_arch = "wasm32")]
        const _: () = {
            struct Component;
            static PLUGIN: ::std::sync::OnceLock<$plugin> = ::std::sync::OnceLock::new();
            impl $crate::__private::Handler for Component {
                fn configure(settings: String) -> Result<(), String> {
                    $crate::__configure::<$plugin>(&PLUGIN, &settings)
                }
                fn handle(event: $crate::Event) -> Result<$crate::Output, String> {
                    $crate::__handle::<$plugin>(&PLUGIN, &event)
                }
            }
    $crate::__private::bindings::export_plugin!(Component with_types_in $crate::__private::bindings);
        };
    };
}

//! Faults of the host itself, for the tests of what then becomes of an event. None of this is in a released program.

/// Panics where `HOOKBOX_INJECT_PANIC` names this place.
#[cfg(debug_assertions)]
#[allow(clippy::panic)]
pub(crate) fn panic(place: &str) {
    if std::env::var("HOOKBOX_INJECT_PANIC").is_ok_and(|named| named == place) {
        panic!("a panic in the {place}, for a test");
    }
}

#[cfg(not(debug_assertions))]
pub(crate) fn panic(_place: &str) {}

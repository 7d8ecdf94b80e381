//! What the plugins of the policy pack share.

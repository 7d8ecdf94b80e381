//! guard-git

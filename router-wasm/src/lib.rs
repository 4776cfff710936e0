//! The router of Espalier.
#![cfg_attr(target_arch = "wasm32", no_std)]

extern crate alloc;

mod constraint;
mod error;
mod find;
mod insert;
mod mixed;
mod path;
mod pattern;
mod trie;

#[cfg(target_arch = "wasm32")]
mod abi;
#[cfg(target_arch = "wasm32")]
mod heap;

pub use error::{Reason, RouteError};
pub use find::{ALL, ANY, GET, HEAD, Outcome, UNKNOWN};
pub use path::MAX_PATH;
pub use pattern::MAX_OPTIONALS;

use alloc::vec::Vec;

/// A set of routes, and what matching a path needs.
pub struct Router {
    trie: trie::Trie,
    path: path::Path,
    walk: find::Walk,
    pattern: pattern::Pattern,
    /// The number of the constraint of each parameter of `pattern`.
    piece_constraints: Vec<u32>,
    ignore_trailing_slash: bool,
    routes: u32,
    answers: u32,
    /// Segments of the deepest route.
    depth: usize,
    position: u32,
}

impl Router {
    /// A router without routes. With `ignore_trailing_slash`, `/a/` is the same path as `/a`.
    pub fn new(ignore_trailing_slash: bool) -> Self {
        Self {
            trie: trie::Trie::new(),
            path: path::Path::new(),
            walk: find::Walk::default(),
            pattern: pattern::Pattern::default(),
            piece_constraints: Vec::new(),
            ignore_trailing_slash,
            routes: 0,
            answers: 0,
            depth: 0,
            position: 0,
        }
    }

    /// Where the caller writes the path it asks for, or the pattern it adds.
    pub fn buffer(&mut self) -> &mut [u8] {
        self.path.buffer()
    }

    /// Adds the pattern that the first `length` bytes of the buffer hold.
    pub fn insert_buffered(&mut self, method: u32, length: usize) -> Result<u32, Reason> {
        let buffer = self.path.take_buffer();
        let inserted = self.insert(method, buffer.get(..length).unwrap_or(&buffer));
        self.path.put_buffer(buffer);
        inserted.map_err(|error| {
            self.position = error.position;
            error.reason
        })
    }

    /// `RouteError::position` of the last pattern that `insert_buffered` refused.
    pub fn position(&self) -> u32 {
        self.position
    }

    /// How many parameters the last pattern has.
    pub fn parameters(&self) -> usize {
        self.pattern.parameters.len()
    }

    /// Where the name of a parameter of the last pattern stands in it: 14 bits of start, counted
    /// from the second byte, 14 bits of length, 1 bit for "optional".
    pub fn parameter(&self, index: usize) -> u32 {
        self.pattern.parameters.get(index).map_or(0, |parameter| {
            let span = parameter.name;
            (span.start - 1) << 15 | (span.end - span.start) << 1 | u32::from(parameter.optional)
        })
    }

    /// The values that the last match captured: 14 bits of start, counted from the second byte of
    /// the path, 14 bits of length, 1 bit for "has escapes". Behind them is what older matches left.
    pub fn spans(&self) -> &[u32] {
        self.walk.spans()
    }

    /// Whether a pattern that the last path matched has this method.
    pub fn allows(&self, method: u32) -> bool {
        self.walk.allows(method)
    }

    /// Matches a path that is not in the buffer yet.
    pub fn find_path(&mut self, method: u32, path: &[u8]) -> Outcome {
        if path.len() > MAX_PATH {
            return Outcome::TooLong;
        }
        self.buffer()[..path.len()].copy_from_slice(path);
        self.find(method, path.len())
    }
}

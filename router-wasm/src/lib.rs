//! The router of Espalier: a trie of path segments, compiled to WebAssembly.
//!
//! A router stores routes, each a method and a pattern. For a method and a path it returns the
//! route that matches, and the positions of the parameter values in the path.
//!
//! # Patterns
//!
//! | syntax | matches |
//! |---|---|
//! | `/users` | the static text `users`, percent-encoded or not: `/%75sers` |
//! | `/:id` | one segment that is not empty |
//! | `/:id(\d+)` | one segment whose decoded value matches the regular expression as a whole |
//! | `/:id?` | an optional segment; up to six, in any position |
//! | `/v:major.:minor` | text and parameters in one segment |
//! | `/*`, `/*rest` | the rest of the path, which may be empty; only as the last segment |
//! | `\:` | the character `:`; likewise for `* ? + ( ) { } \` |
//!
//! A path is split at each `/`, and each segment is decoded once. `%2F` does not split a segment,
//! empty segments count, and `..` is not resolved. With `ignore_trailing_slash`, one slash after a
//! segment that is not empty is removed from patterns and from paths. A segment of more than 1,024
//! bytes in the path does not match a constraint.
//!
//! # Precedence
//!
//! A pattern with optional segments is expanded to all its *variants*, with and without each of
//! them, and each variant is matched as a pattern of its own. If two variants match a path, the
//! first segment in which they differ decides, whatever follows. In order of precedence:
//!
//! 1. no segment, when the path ends here too
//! 2. static text
//! 3. a mixed segment; the one with more text first, then the older one
//! 4. a parameter with a constraint; the older one first
//! 5. a parameter
//! 6. an optional parameter with a constraint; the older one first
//! 7. an optional parameter
//! 8. a wildcard
//!
//! *Older* means registered earlier after the same segments. Variants without any difference belong
//! to different patterns, such as `/a` and `/a/:b?`: the one that omits fewer of its optional
//! segments wins, then the older pattern.
//!
//! The first pattern in this order that has a route for the method wins: a route for exactly this
//! method, else for `HEAD` a route for `GET`, else a route for all methods. If no pattern that
//! matches the path has one, the result is "method not allowed", with the methods of all of them.
//!
//! # Trie
//!
//! `GET /users`, `GET /users/:id`, `PUT /users/:name`, `GET /users/:id(\d+)/posts` and `GET /*`
//! become
//!
//! ```text
//! root ──"users"──▶ ● GET 0
//!   │               ├──(\d+)──▶ ○ ──"posts"──▶ ● GET 3
//!   │               └──:──────▶ ● GET 1, PUT 2
//!   └──*──▶ GET 4
//! ```
//!
//! Edges have no names: each route keeps its own, so `/users/:id` and `/users/:name` share a node.
//! A static edge is found by the hash of its text; the others are tried in the order above. The
//! search descends and backtracks: `PUT /users/7/posts` tries the constraint, then the parameter,
//! then the wildcard, which has no `PUT`, and results in "method not allowed" with `GET`. A node is
//! one sequence of segments, so a search visits it at most once.
//!
//! All data is in flat lists whose items refer to each other by index. The lists grow when a route
//! is added. Matching writes to buffers that are large enough by then, and allocates nothing.
//!
//! 1,000 routes of a REST API take 448 KiB, of which the buffers are 80. What takes most are segments
//! that no other route has, the variants of optional segments, and constraints: each different one
//! takes 1 KiB and 16 bytes for each of its characters, with `{m,n}` expanded.
// Tests inside WebAssembly use std and its panic handler, as they do natively.
#![cfg_attr(all(target_arch = "wasm32", not(test)), no_std)]

mod block;
mod compile;
mod constraint;
mod error;
mod find;
mod heap;
mod insert;
mod list;
mod mixed;
mod path;
mod pattern;
mod trie;
mod utf8;

#[cfg(test)]
mod tests;
// The fuzz target and its model, which the tests share, name the crate as its users do.
#[cfg(test)]
extern crate self as router_wasm;

#[cfg(target_arch = "wasm32")]
mod abi;

pub use constraint::MAX_CONSTRAINED;
pub use error::Reason;
pub use find::{ALL, ANY, GET, HEAD, Outcome, UNKNOWN};
pub use path::MAX_PATH;
pub use pattern::MAX_OPTIONALS;

use list::{List, part};

/// A set of routes, and the memory that matching needs.
pub struct Router {
    trie: trie::Trie,
    path: path::Path,
    walk: find::Walk,
    pattern: pattern::Pattern,
    /// The segments of one variant of `pattern`.
    variant: List<pattern::Segment>,
    ignore_trailing_slash: bool,
    routes: u32,
    answers: u32,
    /// Number of segments of the deepest route.
    depth: usize,
    position: u32,
}

impl Router {
    /// Creates a router without routes. With `ignore_trailing_slash`, `/a/` is the same path as
    /// `/a`.
    pub const fn new(ignore_trailing_slash: bool) -> Self {
        Self {
            trie: trie::Trie::new(),
            path: path::Path::new(),
            walk: find::Walk::new(),
            pattern: pattern::Pattern::new(),
            variant: List::new(),
            ignore_trailing_slash,
            routes: 0,
            answers: 0,
            depth: 0,
            position: 0,
        }
    }

    /// Allocates the buffers, so that the caller can write to them before the first route exists.
    /// Sets the flag of `new` again, for a router in static memory.
    pub fn prepare(&mut self, ignore_trailing_slash: bool) {
        self.ignore_trailing_slash = ignore_trailing_slash;
        self.path.prepare(0);
        self.walk.prepare(0, 0, 0);
    }

    /// Returns the buffer that the caller writes a path or a pattern to.
    pub fn buffer(&mut self) -> &mut [u8] {
        self.path.buffer()
    }

    /// Adds a route whose pattern is the first `length` bytes of the buffer. Returns the same as
    /// `insert`.
    pub fn insert_buffered(&mut self, method: u32, length: usize) -> Result<u32, Reason> {
        if length > MAX_PATH {
            return Err(Reason::TooLong);
        }
        self.pattern.source.truncate(0);
        self.pattern.source.extend(part(self.path.buffer(), 0, length));
        self.insert_source(method)
    }

    /// Adds a route, and returns its first answer id.
    ///
    /// An answer id identifies a route and a variant of its pattern. A pattern with `n` optional
    /// segments has 2ⁿ consecutive ids: the first is the variant with all of them, the last the one
    /// with none. In between they count down in binary, with the leftmost optional segment as the
    /// highest bit.
    pub fn insert(&mut self, method: u32, pattern: &str) -> Result<u32, Reason> {
        if pattern.len() > MAX_PATH {
            return Err(Reason::TooLong);
        }
        self.pattern.source.truncate(0);
        self.pattern.source.extend(pattern.as_bytes());
        self.insert_source(method)
    }

    /// Returns the offset in bytes of the error in the last rejected pattern, or the number of the
    /// route that it duplicates.
    pub fn position(&self) -> u32 {
        self.position
    }

    /// Returns the number of parameters of the last pattern.
    pub fn parameters(&self) -> usize {
        self.pattern.parameters.len()
    }

    /// Returns the span of the name of a parameter in the last pattern: 14 bits for the start,
    /// relative to the second byte, 14 bits for the length, and 1 bit that is set if the parameter
    /// is optional.
    pub fn parameter(&self, index: usize) -> u32 {
        self.pattern.parameters.get(index).map_or(0, |parameter| {
            let span = parameter.name;
            (span.start - 1) << 15 | (span.end - span.start) << 1 | u32::from(parameter.optional)
        })
    }

    /// Returns the start of the last path in the buffer, then the spans of the captured values: 14
    /// bits for the start, relative to the second byte of the path, 14 bits for the length, and 1
    /// bit that is set if the value has escapes. Items after them are left over from earlier
    /// matches.
    pub fn result(&self) -> &[u32] {
        self.walk.result()
    }

    /// Returns whether a pattern that matched the last path has a route for this method.
    pub fn allows(&self, method: u32) -> bool {
        self.walk.allows(method)
    }

    /// Copies a path to the buffer and matches it.
    pub fn find_path(&mut self, method: u32, path: &[u8]) -> Outcome {
        if path.len() > MAX_PATH {
            return Outcome::TooLong;
        }
        if self.routes == 0 || path.first() != Some(&b'/') {
            return Outcome::NotFound;
        }
        for (place, &byte) in self.path.buffer().iter_mut().zip(path) {
            *place = byte;
        }
        self.find(method, 0, path.len())
    }
}

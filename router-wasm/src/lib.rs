//! The router of Espalier: a trie of path segments, compiled to WebAssembly.
//!
//! A router takes routes (a method and a pattern), then answers for a method and a path which of
//! them matches and where in the path the values of its parameters stand.
//!
//! # Patterns
//!
//! | in a pattern | matches |
//! |---|---|
//! | `/users` | that text, in any spelling of a URL: `/%75sers` |
//! | `/:id` | one segment that is not empty |
//! | `/:id(\d+)` | the same if the whole decoded segment matches the regular expression |
//! | `/:id?` | a segment or none; up to six, anywhere |
//! | `/v:major.:minor` | text and parameters in one segment |
//! | `/*`, `/*rest` | the rest of the path, which may be empty; at the end only |
//! | `\:` | the character `:`; likewise for `* ? + ( ) { } \` |
//!
//! A path is split at each `/`, and each segment is decoded once. `%2F` stays in its segment, an
//! empty segment is a segment, and nothing is made of `..`. With `ignore_trailing_slash`, one slash
//! behind a segment that is not empty is dropped, from patterns and from paths.
//!
//! # Precedence
//!
//! A pattern with optional segments stands for all its *variants*, with and without each of them,
//! and each variant is matched as a pattern of its own. Let two variants match a path, and let *i*
//! be the first segment in which they differ. The one whose segment *i* comes first here wins,
//! whatever follows:
//!
//! 1. nothing, when the path ends here too
//! 2. static text
//! 3. a mixed segment; of two, the one with more text; of two with as much, the older one
//! 4. a parameter with a constraint; of two, the older one
//! 5. a parameter
//! 6. an optional parameter with a constraint; of two, the older one
//! 7. an optional parameter
//! 8. a wildcard
//!
//! *Older* means: registered earlier behind the same segments. Variants that do not differ at all
//! belong to different patterns, such as `/a` and `/a/:b?`: the one that does without fewer of its
//! optional segments wins, then the older pattern.
//!
//! The first pattern in this order that takes the method wins: by a route for the method, else for
//! `HEAD` by one for `GET`, else by one for all methods. Only if none takes it, the answer is "method
//! not allowed", with the methods of all patterns that match.
//!
//! # The trie
//!
//! `GET /users`, `GET /users/:id`, `PUT /users/:name`, `GET /users/:id(\d+)/posts` and `GET /*` are
//!
//! ```text
//! root ──"users"──▶ ● GET 0
//!   │               ├──(\d+)──▶ ○ ──"posts"──▶ ● GET 3
//!   │               └──:──────▶ ● GET 1, PUT 2
//!   └──*──▶ GET 4
//! ```
//!
//! Edges carry no names: a route keeps its own, so `/users/:id` and `/users/:name` share a place. A
//! static edge is found through a hash of its text, the others are tried in the order above. The
//! walk goes down and comes back where a path leads nowhere: `PUT /users/7/posts` tries the
//! constraint, then the parameter, then the wildcard, which has no `PUT`, and answers "method not
//! allowed" with `GET`. As a place is one sequence of segments, a walk meets it at most once.
//!
//! Everything lies in flat lists that refer to each other by index. They grow when a route is added;
//! matching writes into buffers that are large enough by then, and allocates nothing.
#![cfg_attr(target_arch = "wasm32", no_std)]

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

#[cfg(target_arch = "wasm32")]
mod abi;

pub use error::Reason;
pub use find::{ALL, ANY, GET, HEAD, Outcome, UNKNOWN};
pub use path::MAX_PATH;
pub use pattern::MAX_OPTIONALS;

use list::{List, part};

/// A set of routes, and what matching a path needs.
pub struct Router {
    trie: trie::Trie,
    path: path::Path,
    walk: find::Walk,
    pattern: pattern::Pattern,
    /// The segments of the variant of `pattern` at hand.
    variant: List<pattern::Segment>,
    ignore_trailing_slash: bool,
    routes: u32,
    answers: u32,
    /// Segments of the deepest route.
    depth: usize,
    position: u32,
}

impl Router {
    /// A router without routes. With `ignore_trailing_slash`, `/a/` is the same path as `/a`.
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

    /// Makes the buffers, so that a path can be written before there are routes, and sets what
    /// `new` was given: a router in static memory learns it here.
    pub fn prepare(&mut self, ignore_trailing_slash: bool) {
        self.ignore_trailing_slash = ignore_trailing_slash;
        self.path.prepare(0);
        self.walk.prepare(0, 0, 0);
    }

    /// Where the caller writes the path it asks for, or the pattern it adds.
    pub fn buffer(&mut self) -> &mut [u8] {
        self.path.buffer()
    }

    /// Adds the pattern that the first `length` bytes of the buffer hold.
    pub fn insert_buffered(&mut self, method: u32, length: usize) -> Result<u32, Reason> {
        if length > MAX_PATH {
            return Err(Reason::TooLong);
        }
        self.pattern.source.truncate(0);
        self.pattern.source.extend(part(self.path.buffer(), 0, length));
        self.insert_source(method)
    }

    /// Adds the next route for a method, and returns its first answer.
    ///
    /// A pattern with `n` optional segments has 2ⁿ answers, one for each variant: the answers count
    /// down from "all are there", with the leftmost optional as the highest bit.
    pub fn insert(&mut self, method: u32, pattern: &str) -> Result<u32, Reason> {
        if pattern.len() > MAX_PATH {
            return Err(Reason::TooLong);
        }
        self.pattern.source.truncate(0);
        self.pattern.source.extend(pattern.as_bytes());
        self.insert_source(method)
    }

    /// Where the last pattern that was refused is wrong, in bytes; or the route it conflicts with.
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

    /// Where the last path begins in the buffer; then the values it captured: 14 bits of start,
    /// counted from the second byte of the path, 14 bits of length, 1 bit for "has escapes". Behind
    /// them is what older matches left.
    pub fn result(&self) -> &[u32] {
        self.walk.result()
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
        if self.routes == 0 || path.first() != Some(&b'/') {
            return Outcome::NotFound;
        }
        for (place, &byte) in self.path.buffer().iter_mut().zip(path) {
            *place = byte;
        }
        self.find(method, 0, path.len())
    }
}

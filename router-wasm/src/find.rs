//! Matches a path: a depth-first search of the trie with backtracking.
//!
//! The search is a loop with an explicit stack, not a recursion. A node is one sequence of
//! segments, so a path visits it at most once, and no search has more steps than the trie has
//! nodes.

use crate::Router;
use crate::list::{List, Zero, part};
use crate::mixed::{Split, Task};
use crate::path::{MAX_PATH, MAX_TEXT, Path, UNDECODABLE};
use crate::pattern::Kind;
use crate::trie::{Edge, Leaf, Node, ROOT, Trie};

/// Method GET. The caller assigns the numbers from 3 on to other methods.
pub const GET: u32 = 0;
/// Method HEAD. Falls back to a route for GET.
pub const HEAD: u32 = 1;
/// Method of a route that accepts every method.
pub const ALL: u32 = 2;
/// Method of a request that no route is registered for.
pub const UNKNOWN: u32 = u32::MAX;
/// Method of a request that collects the methods of all matching patterns and matches no route.
pub const ANY: u32 = u32::MAX - 1;

/// Result of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The answer id of the route and the variant; `Router::result` has the values.
    Found(u32),
    /// A route matches, but a captured value cannot be decoded: status 400.
    Undecodable,
    /// No pattern matches: status 404.
    NotFound,
    /// The path has routes for other methods only, which `Router::allows` reports: status 405.
    MethodNotAllowed,
    /// The path is longer than `MAX_PATH`: status 414.
    TooLong,
}

/// A node with untried branches: its edges from `edge` on, then its wildcard.
#[derive(Clone, Copy, Default)]
struct Untried {
    node: u32,
    edge: u32,
    segment: u32,
    captured: u32,
}

// SAFETY: all fields are numbers.
unsafe impl Zero for Untried {}

/// Memory that a match writes to. Adding a route makes it large enough.
pub struct Walk {
    untried: List<Untried>,
    /// See `Router::result`.
    result: List<u32>,
    /// A flag for each method, 0 or 1: set if a pattern that matched the path has it.
    allowed: List<u32>,
    pub split: Split,
}

impl Walk {
    pub const fn new() -> Self {
        Self {
            untried: List::new(),
            result: List::new(),
            allowed: List::new(),
            split: Split::new(),
        }
    }

    /// Allocates memory for routes of this depth, with this many parameters and methods.
    pub fn prepare(&mut self, depth: usize, parameters: usize, methods: usize) {
        self.untried.fill_up(depth + 1);
        self.result.fill_up(parameters + 1);
        self.allowed.fill_up(methods);
    }

    pub fn result(&self) -> &[u32] {
        &self.result
    }

    pub fn allows(&self, method: u32) -> bool {
        self.allowed.get(method as usize) == Some(&1)
    }
}

impl Router {
    /// Matches the path in `from..to` of the buffer, which starts at the first slash and ends
    /// before the first `?` or `#`.
    pub fn find(&mut self, method: u32, from: usize, to: usize) -> Outcome {
        if to > MAX_TEXT {
            return Outcome::TooLong;
        }
        if self.routes == 0 || !self.path.scan(from, to, self.ignore_trailing_slash) {
            return Outcome::NotFound;
        }
        let base = self.path.start() as u32 + 1;
        if self.path.end() as u32 - base >= MAX_PATH as u32 {
            return Outcome::TooLong;
        }
        let mut search = Search {
            trie: &self.trie,
            path: &self.path,
            walk: &mut self.walk,
            method,
            base,
            missed: false,
        };
        let found = search.run(self.ignore_trailing_slash);
        let missed = search.missed;
        self.walk.result[0usize] = base - 1;
        match found {
            Some((_, captured)) if self.path.is_escaped() && !self.note_escapes(captured) => {
                Outcome::Undecodable
            }
            Some((answer, _)) => Outcome::Found(answer),
            None if missed => Outcome::MethodNotAllowed,
            None => Outcome::NotFound,
        }
    }

    /// Marks the values that have escapes. Returns whether all values can be decoded.
    fn note_escapes(&mut self, captured: u32) -> bool {
        for index in 1..=captured {
            let value = self.walk.result[index];
            let start = (value >> 15) as usize + self.path.start() + 1;
            let length = value >> 1 & 0x3fff;
            let decoded = self.path.decode_part(start, start + length as usize);
            if decoded == UNDECODABLE {
                return false;
            }
            self.walk.result[index] |= u32::from(decoded != length);
        }
        true
    }
}

struct Search<'a> {
    trie: &'a Trie,
    path: &'a Path,
    walk: &'a mut Walk,
    method: u32,
    /// Offset of the second byte of the path in the buffer. Values are relative to it.
    base: u32,
    /// Set when a pattern matched that has no route for the method.
    missed: bool,
}

impl Search<'_> {
    /// Searches for a route with the method. Returns its answer id and the number of captured
    /// values.
    fn run(&mut self, ignore_trailing_slash: bool) -> Option<(u32, u32)> {
        if let Some(answer) = self.whole_path() {
            return Some((answer, 0));
        }
        let segments = self.path.segments();
        let mut here = Untried { node: ROOT, edge: UNSEEN, segment: 0, captured: 0 };
        let mut waiting = 0usize;
        loop {
            let node = &self.trie.nodes[here.node];
            let at_end = here.segment as usize == segments;
            if !at_end {
                if let Some(child) = self.step(node, &mut here) {
                    if here.edge != 0 || node.wildcard != 0 {
                        self.walk.untried[waiting] = here;
                        waiting += 1;
                    }
                    here = child;
                    continue;
                }
            } else if let Some(answer) = self.accept(node.end) {
                return Some((answer, here.captured));
            }
            if node.wildcard != 0
                && (!at_end || ignore_trailing_slash)
                && let Some(answer) = self.accept(node.wildcard)
            {
                let end = self.path.end();
                let start = if at_end { end } else { self.path.start_of(here.segment as usize) };
                self.capture(here.captured, start, end);
                return Some((answer, here.captured + 1));
            }
            if waiting == 0 {
                return None;
            }
            waiting -= 1;
            here = self.walk.untried[waiting];
        }
    }

    /// Returns the answer id of a static pattern that equals the whole path. Static text has
    /// precedence in every segment, so no other pattern can win.
    #[inline(always)]
    fn whole_path(&mut self) -> Option<u32> {
        if self.path.is_escaped() {
            return None;
        }
        let (start, end) = (self.base as usize, self.path.end());
        let node = self.trie.whole_path(self.path.text_buffer(), start, end - start);
        self.accept(self.trie.nodes[node].end)
    }

    #[inline(always)]
    fn capture(&mut self, index: u32, start: usize, end: usize) {
        let (start, end) = (start as u32, end as u32);
        self.walk.result[index + 1] = (start - self.base) << 15 | (end - start) << 1;
    }

    /// Follows the next edge that accepts the segment, and sets `here.edge` to the one after it.
    #[inline(always)]
    fn step(&mut self, node: &Node, here: &mut Untried) -> Option<Untried> {
        let segment = here.segment as usize;
        let below = |child, captured| Untried {
            node: child,
            edge: UNSEEN,
            segment: here.segment + 1,
            captured,
        };
        if here.edge == UNSEEN {
            here.edge = node.first_edge;
            let length = self.path.text_length(segment);
            if node.static_edge != 0 && length != UNDECODABLE {
                let (buffer, start) = (self.path.text_buffer(), self.path.start_of(segment));
                let child = self.trie.static_child(here.node, buffer, start, length as usize);
                if child != 0 {
                    return Some(below(child, here.captured));
                }
            }
        }
        while here.edge != 0 {
            let edge = &self.trie.edges[here.edge];
            here.edge = edge.next;
            let accepted = if matches!(edge.kind, Kind::Parameter | Kind::Optional) {
                let (start, end) = (self.path.start_of(segment), self.path.end_of(segment));
                self.capture(here.captured, start, end);
                end > start
            } else {
                self.split(edge, segment, here.captured)
            };
            if accepted {
                return Some(below(edge.child, here.captured + edge.pieces));
            }
        }
        None
    }

    /// Captures the values of a mixed or constrained segment. Returns whether the edge accepts it.
    #[inline(never)]
    fn split(&mut self, edge: &Edge, segment: usize, captured: u32) -> bool {
        let length = self.path.text_length(segment);
        if length == UNDECODABLE {
            return false;
        }
        let (buffer, start) = (self.path.text_buffer(), self.path.start_of(segment));
        let found = self.walk.split.run(Task {
            buffer,
            start,
            segment: part(buffer, start, start + length as usize),
            raw_length: self.path.end_of(segment) - start,
            lead: edge.lead.of(&self.trie.text),
            pieces: self.trie.pieces_of(edge),
            text: &self.trie.text,
            constraints: &self.trie.constraints,
        });
        if found {
            for index in 0..edge.pieces {
                let value = self.walk.split.value(index as usize);
                let start = self.path.raw_offset(segment, value.start as usize);
                let end = self.path.raw_offset(segment, value.end as usize);
                self.capture(captured + index, start, end);
            }
        }
        found
    }

    /// Returns the answer id of the first pattern in a list that has a route for the method: for
    /// exactly this one, for GET if it is HEAD, or for all. Records the methods of the patterns it
    /// passes over.
    #[inline(always)]
    fn accept(&mut self, list: u32) -> Option<u32> {
        if list == 0 {
            return None;
        }
        // Most lists are one pattern, and most requests take its method.
        let known = &self.trie.method_routes[self.trie.leaves[list].first_method];
        if known.method == self.method {
            return Some(known.answer);
        }
        self.accept_other(list)
    }

    /// Continues `accept` after its first look.
    #[inline(never)]
    fn accept_other(&mut self, list: u32) -> Option<u32> {
        let mut leaf = list;
        while leaf != 0 {
            let place = &self.trie.leaves[leaf];
            let mut other = None;
            let mut next = place.first_method;
            while next != 0 {
                let known = &self.trie.method_routes[next];
                if known.method == self.method {
                    return Some(known.answer);
                }
                let by_get = known.method == GET && self.method == HEAD;
                let by_all = known.method == ALL && self.method != ANY && other.is_none();
                if by_get || by_all {
                    other = Some(known.answer);
                }
                next = known.next;
            }
            if other.is_some() {
                return other;
            }
            self.miss(place);
            leaf = place.next;
        }
        None
    }

    /// Records the methods of a pattern that matched without a route for the method.
    #[inline(never)]
    fn miss(&mut self, place: &Leaf) {
        if !self.missed {
            self.missed = true;
            self.walk.allowed.iter_mut().for_each(|allowed| *allowed = 0);
        }
        let mut next = place.first_method;
        while next != 0 {
            let known = &self.trie.method_routes[next];
            self.walk.allowed[known.method] = 1;
            next = known.next;
        }
    }
}

/// `Untried::edge` of a node whose static edges are untried too.
const UNSEEN: u32 = u32::MAX;

//! Matches a path: a walk down the trie that takes back what led nowhere.
//!
//! The walk is a loop with a list of what is left to try, not a recursion. A node is one sequence
//! of segments, so a path meets it at most once, and no path makes the walk longer than the trie.

use crate::Router;
use crate::list::{List, Zero, part};
use crate::mixed::{Split, Task};
use crate::path::{MAX_PATH, MAX_TEXT, Path, UNDECODABLE};
use crate::pattern::Kind;
use crate::trie::{Edge, Leaf, Node, ROOT, Trie, WHOLE_PATHS};

/// Numbers of the methods that the router knows by meaning; the caller numbers the others.
pub const GET: u32 = 0;
/// Answered by a route for GET if it has none of its own.
pub const HEAD: u32 = 1;
/// A route for every method.
pub const ALL: u32 = 2;
/// A request's method that no route has.
pub const UNKNOWN: u32 = u32::MAX;
/// Asks for the methods of all patterns that match, and takes no route.
pub const ANY: u32 = u32::MAX - 1;

/// The outcome of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The number that `insert` gave for the route and the variant; the values are in `result`.
    Found(u32),
    /// The route was found, but a value it captures cannot be decoded: 400.
    Undecodable,
    /// No pattern matches: 404.
    NotFound,
    /// Only other methods have the path: 405; `allows` knows which.
    MethodNotAllowed,
    /// The path is longer than `MAX_PATH`: 414.
    TooLong,
}

/// What is left to try at a node: its edges from `edge` on, then its wildcard.
#[derive(Clone, Copy, Default)]
struct Untried {
    node: u32,
    edge: u32,
    segment: u32,
    captured: u32,
}

// SAFETY: these are numbers.
unsafe impl Zero for Untried {}

/// What a match writes. Made as large as any route needs when routes are added.
pub struct Walk {
    untried: List<Untried>,
    /// Where the path begins in the buffer; then the values that are captured. A value is 14 bits
    /// of start, counted from the second byte of the path, 14 bits of length, and 1 bit for "has
    /// escapes".
    result: List<u32>,
    /// One flag per method, 0 or 1: whether a pattern that matched has it.
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

    /// Makes room for routes with so many segments and parameters, and for so many methods.
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
    /// Matches the path that begins with the first slash in `from..to` of the buffer.
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

    /// Marks the values that have escapes. Returns whether all of them can be decoded.
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
    /// Where the second byte of the path is: values count from there.
    base: u32,
    /// Whether a pattern matched that does not take the method.
    missed: bool,
}

impl Search<'_> {
    /// Walks until a route takes the method; returns its answer and how many values it captured.
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

    /// The answer of a pattern that is the path: text comes first at every place, so no other does
    /// before it.
    #[inline(always)]
    fn whole_path(&mut self) -> Option<u32> {
        if self.path.is_escaped() {
            return None;
        }
        let (start, end) = (self.base as usize, self.path.end());
        let buffer = self.path.text_buffer();
        let node = self.trie.static_child(WHOLE_PATHS, buffer, start, end - start);
        self.accept(self.trie.nodes[node].end)
    }

    #[inline(always)]
    fn capture(&mut self, index: u32, start: usize, end: usize) {
        let (start, end) = (start as u32, end as u32);
        self.walk.result[index + 1] = (start - self.base) << 15 | (end - start) << 1;
    }

    /// Follows the next edge that accepts the segment; `here.edge` is left at the one after it.
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

    /// Captures the values of a mixed or constrained segment, if it is one.
    #[inline(never)]
    fn split(&mut self, edge: &Edge, segment: usize, captured: u32) -> bool {
        let length = self.path.text_length(segment);
        if length == UNDECODABLE {
            return false;
        }
        let start = self.path.start_of(segment);
        let found = self.walk.split.run(Task {
            segment: part(self.path.text_buffer(), start, start + length as usize),
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

    /// The answer of the first pattern in a list that takes the method: by itself, HEAD by GET, or
    /// any. What the patterns would have allowed instead is noted.
    #[inline(never)]
    fn accept(&mut self, list: u32) -> Option<u32> {
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

    /// Notes the methods of a pattern that matched without taking the method.
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

/// `Untried::edge` of a node whose static edges have not been tried either.
const UNSEEN: u32 = u32::MAX;

//! Matches a path: a walk down the trie that takes back what led nowhere.
//!
//! The walk is a loop with a list of what is left to try, not a recursion. A node is one sequence
//! of segments, so a path meets it at most once, and no path makes the walk longer than the trie.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;

use crate::Router;
use crate::mixed::split;
use crate::path::{Escapes, MAX_PATH, Path};
use crate::pattern::{Kind, Span};
use crate::trie::{ROOT, Trie};

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
    /// The number that `insert` gave for the route and the variant; the values are in `spans`.
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

/// What a match writes. Made as large as any route needs when routes are added.
#[derive(Default)]
pub struct Walk {
    untried: Vec<Untried>,
    captures: Vec<Span>,
    /// The captures of a match as its caller gets them: 14 bits of start, counted from the second
    /// byte of the path, 14 bits of length, 1 bit for "has escapes".
    spans: Vec<u32>,
    /// One flag per method: whether a pattern that matched has it.
    allowed: Vec<bool>,
    ends: Vec<u64>,
}

impl Walk {
    pub fn reserve(&mut self, depth: usize, parameters: usize) -> Result<(), TryReserveError> {
        grow(&mut self.untried, depth + 1)?;
        grow(&mut self.captures, parameters)?;
        grow(&mut self.spans, parameters)
    }

    pub fn reserve_ends(&mut self, words: usize) -> Result<(), TryReserveError> {
        grow(&mut self.ends, words)
    }

    pub fn reserve_method(&mut self, method: u32) -> Result<(), TryReserveError> {
        grow(&mut self.allowed, method as usize + 1)
    }

    pub fn spans(&self) -> &[u32] {
        &self.spans
    }

    pub fn allows(&self, method: u32) -> bool {
        self.allowed.get(method as usize) == Some(&true)
    }
}

fn grow<T: Clone + Default>(list: &mut Vec<T>, length: usize) -> Result<(), TryReserveError> {
    if length > list.len() {
        list.try_reserve(length - list.len())?;
        list.resize(length, T::default());
    }
    Ok(())
}

impl Router {
    /// Matches the first `length` bytes of the buffer, which hold a path and perhaps a query.
    pub fn find(&mut self, method: u32, length: usize) -> Outcome {
        if length > MAX_PATH {
            return Outcome::TooLong;
        }
        if self.routes == 0 {
            return Outcome::NotFound;
        }
        self.path.scan(length, self.ignore_trailing_slash);
        if !self.path.is_rooted() {
            return Outcome::NotFound;
        }
        self.walk.allowed.fill(false);
        let mut search =
            Search { trie: &self.trie, path: &self.path, walk: &mut self.walk, method };
        let Some((answer, captured)) = search.run(self.ignore_trailing_slash) else {
            let known = self.walk.allowed.contains(&true);
            return if known { Outcome::MethodNotAllowed } else { Outcome::NotFound };
        };
        for index in 0..captured {
            let Span { start, end } = self.walk.captures[index];
            let escapes = self.path.escapes(start as usize, end as usize);
            if escapes == Escapes::Malformed {
                return Outcome::Undecodable;
            }
            let escaped = u32::from(escapes == Escapes::Decodable);
            self.walk.spans[index] = (start - 1) << 15 | (end - start) << 1 | escaped;
        }
        Outcome::Found(answer)
    }
}

struct Search<'a> {
    trie: &'a Trie,
    path: &'a Path,
    walk: &'a mut Walk,
    method: u32,
}

impl Search<'_> {
    /// Walks until a route takes the method; returns its answer and how many values it captured.
    fn run(&mut self, ignore_trailing_slash: bool) -> Option<(u32, usize)> {
        let segments = self.path.segments();
        let mut here = Untried { node: ROOT, edge: UNSEEN, segment: 0, captured: 0 };
        let mut waiting = 0;
        loop {
            let node = self.trie.nodes[here.node as usize];
            let at_end = here.segment as usize == segments;
            let step = if at_end {
                if let Some(answer) = self.accept(node.end) {
                    return Some((answer, here.captured as usize));
                }
                None
            } else {
                self.step(&mut here)
            };
            if let Some(child) = step {
                if here.edge != 0 || node.wildcard != 0 {
                    self.walk.untried[waiting] = here;
                    waiting += 1;
                }
                here = child;
                continue;
            }
            if node.wildcard != 0
                && (!at_end || ignore_trailing_slash)
                && let Some(answer) = self.accept(node.wildcard)
            {
                let end = self.path.end();
                let start = if at_end { end } else { self.path.start_of(here.segment as usize) };
                self.walk.captures[here.captured as usize] = Span::new(start, end);
                return Some((answer, here.captured as usize + 1));
            }
            if waiting == 0 {
                return None;
            }
            waiting -= 1;
            here = self.walk.untried[waiting];
        }
    }

    /// Follows the next edge that accepts the segment; `here.edge` is left at the one after it.
    fn step(&mut self, here: &mut Untried) -> Option<Untried> {
        let segment = here.segment as usize;
        let text = self.path.text(segment);
        let below = |child, captured| Untried {
            node: child,
            edge: UNSEEN,
            segment: here.segment + 1,
            captured,
        };
        if here.edge == UNSEEN {
            here.edge = self.trie.nodes[here.node as usize].first_edge;
            let child = text.and_then(|text| self.trie.static_child(here.node, text));
            if let Some(child) = child {
                return Some(below(child, here.captured));
            }
        }
        while here.edge != 0 {
            let edge = &self.trie.edges[here.edge as usize];
            here.edge = edge.next;
            let captured = here.captured as usize;
            let (start, end) = (self.path.start_of(segment), self.path.end_of(segment));
            let accepted = match (edge.kind, text) {
                (Kind::Parameter | Kind::Optional, _) => {
                    self.walk.captures[captured] = Span::new(start, end);
                    end > start
                }
                (_, None) => false,
                (_, Some(text)) => {
                    let (path, captures) = (self.path, &mut self.walk.captures);
                    split(
                        text,
                        edge.lead.of(&self.trie.text),
                        self.trie.pieces_of(edge),
                        &self.trie.text,
                        &self.trie.constraints,
                        &mut self.walk.ends,
                        |index, span| {
                            captures[captured + index] = Span::new(
                                path.raw_offset(segment, span.start as usize),
                                path.raw_offset(segment, span.end as usize),
                            );
                        },
                    )
                }
            };
            if accepted {
                return Some(below(edge.child, here.captured + edge.pieces));
            }
        }
        None
    }

    /// The answer of the first pattern in a list that takes the method: by itself, HEAD by GET, or
    /// any. What the patterns would have allowed instead is noted.
    fn accept(&mut self, list: u32) -> Option<u32> {
        let mut leaf = list;
        while leaf != 0 {
            let mut by_get = None;
            let mut by_all = None;
            for known in self.trie.method_routes(leaf) {
                if known.method == self.method {
                    return Some(known.answer);
                }
                match known.method {
                    GET if self.method == HEAD => by_get = Some(known.answer),
                    ALL if self.method != ANY => by_all = Some(known.answer),
                    _ => {}
                }
                self.walk.allowed[known.method as usize] = true;
            }
            if let Some(answer) = by_get.or(by_all) {
                return Some(answer);
            }
            leaf = self.trie.leaves[leaf as usize].next;
        }
        None
    }
}

/// `Untried::edge` of a node whose static edges have not been tried either.
const UNSEEN: u32 = u32::MAX;

//! The trie: nodes and edges in flat lists that refer to each other by index.
//!
//! A node stands for a sequence of segments from the root. Invariants:
//! * index 0 of every list but `nodes` is a filler, so that 0 means "none"; node 0 is the root;
//! * node 1 is a second root, for whole paths;
//! * a node has at most one static edge per text, found through `slots` by hash;
//! * `Node::first_edge` begins the list of its other edges in the order they are tried in, and no
//!   two of them have the same shape;
//! * the routes that end at a place are a list too: of patterns, in the order they are tried in;
//! * nothing is ever removed.

use crate::block::{BLOCK, hash, same};
use crate::constraint::Constraints;
use crate::list::{List, Zero, part};
use crate::mixed::Piece;
use crate::pattern::{Kind, Span};

#[derive(Clone, Copy, Default)]
pub struct Node {
    /// A static edge of the node, if it has any.
    pub static_edge: u32,
    /// Whether it has more than one.
    pub has_more_static: bool,
    /// The first of the edges that are not static.
    pub first_edge: u32,
    /// The patterns that end here.
    pub end: u32,
    /// The patterns that take whatever rest of the path follows here.
    pub wildcard: u32,
}

#[derive(Clone, Copy, Default)]
pub struct StaticEdge {
    pub parent: u32,
    pub hash: u32,
    pub text: Span,
    pub child: u32,
}

/// An edge of a segment with parameters.
#[derive(Clone, Copy)]
pub struct Edge {
    pub kind: Kind,
    /// Lower ones are tried first: by kind, then the longer text; among equals the older edge.
    pub rank: u32,
    pub child: u32,
    pub next: u32,
    pub lead: Span,
    pub first_piece: u32,
    pub pieces: u32,
}

// SAFETY: these are numbers, a flag, and the kind of an edge, whose first variant is 0.
unsafe impl Zero for Node {}
unsafe impl Zero for StaticEdge {}
unsafe impl Zero for Edge {}
unsafe impl Zero for Leaf {}
unsafe impl Zero for MethodRoute {}

/// A pattern, or a variant of one without some of its optional segments, at the place it ends.
#[derive(Clone, Copy, Default)]
pub struct Leaf {
    /// Lower ones are tried first: `ABSENT` for each optional segment that this variant does
    /// without, and the first route that was registered with its pattern.
    pub order: u32,
    pub first_method: u32,
    pub next: u32,
}

/// A method of a leaf.
#[derive(Clone, Copy, Default)]
pub struct MethodRoute {
    pub method: u32,
    pub route: u32,
    /// What the router answers: a number that stands for this route in this variant.
    pub answer: u32,
    pub next: u32,
}

pub struct Trie {
    pub nodes: List<Node>,
    pub static_edges: List<StaticEdge>,
    pub edges: List<Edge>,
    pub pieces: List<Piece>,
    pub leaves: List<Leaf>,
    pub method_routes: List<MethodRoute>,
    /// The text of edges, and a block of padding.
    pub text: List<u8>,
    text_length: usize,
    pub constraints: Constraints,
    /// A hash table of static edges with a power of two as size; 0 is a free slot.
    slots: List<u32>,
}

pub const ROOT: u32 = 0;

/// A node that no path leads to. Its static edges are whole paths without their first slash: those
/// of patterns that are nothing but text. They lead where the segments would.
pub const WHOLE_PATHS: u32 = 1;

/// More than there are routes.
pub const ABSENT: u32 = 1 << 28;

impl Trie {
    pub const fn new() -> Self {
        Self {
            nodes: List::new(),
            static_edges: List::new(),
            edges: List::new(),
            pieces: List::new(),
            leaves: List::new(),
            method_routes: List::new(),
            text: List::new(),
            text_length: 0,
            constraints: Constraints::new(),
            slots: List::new(),
        }
    }

    /// Adds the root and the fillers.
    pub fn prepare(&mut self) {
        self.nodes.fill_up(2);
        self.static_edges.fill_up(1);
        self.edges.fill_up(1);
        self.leaves.fill_up(1);
        self.method_routes.fill_up(1);
        self.text.fill_up(BLOCK);
    }

    /// The node behind the static edge of a node whose text is `length` bytes of a buffer, which
    /// is padded by a block; 0 without such an edge.
    #[inline(never)]
    pub fn static_child(&self, parent: u32, buffer: &[u8], start: usize, length: usize) -> u32 {
        let node = &self.nodes[parent];
        let has_text = |edge: &StaticEdge| {
            edge.text.len() as usize == length
                && same(buffer, start, &self.text, edge.text.start as usize, length)
        };
        if !node.has_more_static {
            let only = &self.static_edges[node.static_edge];
            return if has_text(only) { only.child } else { 0 };
        }
        let hash = hash(parent, buffer, start, length);
        let mut slot = hash as usize;
        loop {
            slot &= self.slots.len() - 1;
            let number = self.slots[slot];
            let edge = &self.static_edges[number];
            if number == 0 || (edge.hash == hash && edge.parent == parent && has_text(edge)) {
                return edge.child;
            }
            slot += 1;
        }
    }

    /// Adds a static edge that is not there yet.
    pub fn add_static(&mut self, parent: u32, text: Span, child: u32) {
        let hash = hash(parent, &self.text, text.start as usize, text.len() as usize);
        let edge = self.static_edges.push(StaticEdge { parent, hash, text, child });
        let node = &mut self.nodes[parent];
        node.has_more_static = node.static_edge != 0;
        node.static_edge = edge;
        self.place(edge);
    }

    /// Puts an edge into the table, which stays half empty.
    fn place(&mut self, new: u32) {
        let mut first = new;
        let least = 2 * self.static_edges.len();
        if self.slots.len() < least {
            self.slots = List::new();
            self.slots.fill_up(2 * least.next_power_of_two());
            first = 1;
        }
        let mask = self.slots.len() - 1;
        for edge in first..=new {
            let mut slot = self.static_edges[edge].hash as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = edge;
        }
    }

    /// Adds text before the padding.
    pub fn add_text(&mut self, text: &[u8]) -> Span {
        let start = self.text_length;
        self.text_length += text.len();
        self.text.truncate(start);
        self.text.extend(text);
        self.text.fill_up(self.text_length + BLOCK);
        Span::new(start, self.text_length)
    }

    pub fn pieces_of(&self, edge: &Edge) -> &[Piece] {
        part(&self.pieces, edge.first_piece as usize, (edge.first_piece + edge.pieces) as usize)
    }
}

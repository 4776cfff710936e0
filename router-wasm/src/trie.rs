//! The trie: nodes and edges in flat lists that refer to each other by index.
//!
//! A node stands for a sequence of segments from the root. Invariants:
//! * index 0 of every list but `nodes` is a filler, so that 0 means "none"; node 0 is the root;
//! * a node has at most one static edge per text, found through `slots` by hash;
//! * `Node::first_edge` begins the list of its other edges in the order they are tried in, and no
//!   two of them have the same shape;
//! * the routes that end at a place are a list too: of patterns, in the order they are tried in;
//! * nothing is ever removed.

use alloc::vec;
use alloc::vec::Vec;

use crate::constraint::Constraints;
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
    pub child: u32,
    pub next: u32,
    pub lead: Span,
    pub first_piece: u32,
    pub pieces: u32,
}

/// A pattern, or a variant of one without some of its optional segments, at the place it ends.
#[derive(Clone, Copy, Default)]
pub struct Leaf {
    /// The first route that was registered with this pattern; older patterns are tried first.
    pub pattern: u32,
    /// How many optional segments this variant does without; fewer are tried first.
    pub absent: u32,
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
    pub nodes: Vec<Node>,
    pub static_edges: Vec<StaticEdge>,
    pub edges: Vec<Edge>,
    pub pieces: Vec<Piece>,
    pub leaves: Vec<Leaf>,
    pub method_routes: Vec<MethodRoute>,
    pub text: Vec<u8>,
    pub constraints: Constraints,
    /// A hash table of static edges with a power of two as size; 0 is a free slot.
    slots: Vec<u32>,
}

pub const ROOT: u32 = 0;

impl Trie {
    pub fn new() -> Self {
        Self {
            nodes: vec![Node::default()],
            static_edges: vec![StaticEdge::default()],
            edges: vec![Edge {
                kind: Kind::Static,
                child: 0,
                next: 0,
                lead: Span::default(),
                first_piece: 0,
                pieces: 0,
            }],
            pieces: Vec::new(),
            leaves: vec![Leaf::default()],
            method_routes: vec![MethodRoute::default()],
            text: Vec::new(),
            constraints: Constraints::default(),
            slots: vec![0; 16],
        }
    }

    /// The node behind the static edge of `parent` with this text.
    pub fn static_child(&self, parent: u32, text: &[u8]) -> Option<u32> {
        let node = self.nodes[parent as usize];
        if node.static_edge == 0 {
            return None;
        }
        if !node.has_more_static {
            let edge = self.static_edges[node.static_edge as usize];
            return (edge.text.of(&self.text) == text).then_some(edge.child);
        }
        let hash = hash(parent, text);
        let mut slot = hash as usize;
        loop {
            slot &= self.slots.len() - 1;
            let edge = match self.slots[slot] {
                0 => return None,
                edge => self.static_edges[edge as usize],
            };
            if edge.hash == hash && edge.parent == parent && edge.text.of(&self.text) == text {
                return Some(edge.child);
            }
            slot += 1;
        }
    }

    /// Makes room for so many more static edges, in a table that stays half empty.
    pub fn reserve_static(
        &mut self,
        more: usize,
    ) -> Result<(), alloc::collections::TryReserveError> {
        self.static_edges.try_reserve(more)?;
        let mut size = self.slots.len();
        while size < 2 * (self.static_edges.len() + more) {
            size *= 2;
        }
        if size > self.slots.len() {
            let mut slots = Vec::new();
            slots.try_reserve_exact(size)?;
            slots.resize(size, 0);
            self.slots = slots;
            for edge in 1..self.static_edges.len() {
                self.place(edge as u32);
            }
        }
        Ok(())
    }

    /// Adds a static edge that is not there yet. Room has been made for it.
    pub fn add_static(&mut self, parent: u32, text: Span, child: u32) {
        let hash = hash(parent, text.of(&self.text));
        let edge = self.static_edges.len() as u32;
        self.static_edges.push(StaticEdge { parent, hash, text, child });
        let node = &mut self.nodes[parent as usize];
        node.has_more_static = node.static_edge != 0;
        node.static_edge = edge;
        self.place(edge);
    }

    fn place(&mut self, edge: u32) {
        let mask = self.slots.len() - 1;
        let mut slot = self.static_edges[edge as usize].hash as usize & mask;
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = edge;
    }

    pub fn pieces_of(&self, edge: &Edge) -> &[Piece] {
        &self.pieces[edge.first_piece as usize..][..edge.pieces as usize]
    }
}

/// Mixes a text and the node it stands below into 32 bits, eight bytes at a time.
fn hash(parent: u32, text: &[u8]) -> u32 {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = u64::from(parent) ^ ((text.len() as u64) << 32);
    for word in text.chunks(8) {
        let word = word.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        hash = (hash ^ word).wrapping_mul(MULTIPLIER);
        hash ^= hash >> 32;
    }
    hash as u32
}

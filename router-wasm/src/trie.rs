//! The trie: nodes and edges in flat lists that refer to each other by index.
//!
//! A node represents a sequence of segments from the root. Invariants:
//! * index 0 of every list except `nodes` is unused, so that 0 means "none"; node 0 is the root;
//! * node 1 is a second root, for whole paths;
//! * a node has at most one static edge for each text, found by its hash in `slots`;
//! * `Node::first_edge` is the head of a linked list of its other edges in the order of precedence,
//!   and no two of them have the same shape;
//! * the patterns that end at a node are a linked list in the order of precedence;
//! * nothing is ever removed.

use crate::block::{BLOCK, hash, same};
use crate::constraint::Constraints;
use crate::list::{List, Zero, part};
use crate::mixed::Piece;
use crate::pattern::{Kind, Span};

#[derive(Clone, Copy, Default)]
pub struct Node {
    /// A static edge of the node, or 0.
    pub static_edge: u32,
    /// Set if the node has several static edges.
    pub has_more_static: bool,
    /// The first edge that is not static, or 0.
    pub first_edge: u32,
    /// The first leaf of the patterns that end at this node, or 0.
    pub end: u32,
    /// The first leaf of the patterns with a wildcard after this node, or 0.
    pub wildcard: u32,
}

#[derive(Clone, Copy, Default)]
pub struct StaticEdge {
    pub parent: u32,
    pub hash: u32,
    pub text: Span,
    pub child: u32,
}

/// A slot of the hash table of static edges.
#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u32,
    /// 0 if the slot is free.
    edge: u32,
}

/// An edge of a segment with parameters.
#[derive(Clone, Copy)]
pub struct Edge {
    pub kind: Kind,
    /// Edges of lower rank are tried first: ordered by kind, then longer text, then age.
    pub rank: u32,
    pub child: u32,
    pub next: u32,
    pub lead: Span,
    pub first_piece: u32,
    pub pieces: u32,
}

// SAFETY: the fields are numbers, flags, and `Kind`, whose first variant is 0.
unsafe impl Zero for Node {}
unsafe impl Zero for StaticEdge {}
unsafe impl Zero for Slot {}
unsafe impl Zero for Edge {}
unsafe impl Zero for Leaf {}
unsafe impl Zero for MethodRoute {}

/// End of a pattern, or of a variant of it without some of its optional segments.
#[derive(Clone, Copy, Default)]
pub struct Leaf {
    /// Leaves of lower order are tried first: `ABSENT` for each omitted optional segment, plus the
    /// number of the first route with this pattern.
    pub order: u32,
    pub first_method: u32,
    pub next: u32,
}

/// A route for one method at a leaf.
#[derive(Clone, Copy, Default)]
pub struct MethodRoute {
    pub method: u32,
    pub route: u32,
    /// Answer id: identifies the route and the variant.
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
    /// The text of edges, padded by a block.
    pub text: List<u8>,
    text_length: usize,
    pub constraints: Constraints,
    /// Hash table of static edges. Its size is a power of two.
    slots: List<Slot>,
    /// The highest bits of a hash, shifted by this number, are its first slot.
    shift: u32,
    /// Bit n is set if a whole path has n bytes, modulo 64.
    whole_path_lengths: u64,
}

pub const ROOT: u32 = 0;

/// Second root: its static edges are the whole paths of static patterns, without their first slash,
/// and lead to the same nodes as the segments.
const WHOLE_PATHS: u32 = 1;

/// Exceeds the number of routes.
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
            shift: 0,
            whole_path_lengths: 0,
        }
    }

    /// Adds the roots and the unused items.
    pub fn prepare(&mut self) {
        self.nodes.fill_up(2);
        self.static_edges.fill_up(1);
        self.edges.fill_up(1);
        self.leaves.fill_up(1);
        self.method_routes.fill_up(1);
        self.text.fill_up(BLOCK);
    }

    /// Returns the child of a node by the static edge whose text equals `length` bytes of a buffer,
    /// or 0 without such an edge. The buffer is padded by a block.
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
        let mut at = (hash >> self.shift) as usize;
        loop {
            let slot = self.slots[at];
            if slot.edge == 0 {
                return 0;
            }
            if slot.hash == hash {
                let edge = &self.static_edges[slot.edge];
                if edge.parent == parent && has_text(edge) {
                    return edge.child;
                }
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Returns the node of the static pattern that equals `length` bytes of a buffer, or 0 without
    /// such a pattern. The buffer is padded by a block.
    #[inline(always)]
    pub fn whole_path(&self, buffer: &[u8], start: usize, length: usize) -> u32 {
        // Few paths need the hash of all their bytes.
        if self.whole_path_lengths >> (length & 63) & 1 == 0 {
            return 0;
        }
        self.static_child(WHOLE_PATHS, buffer, start, length)
    }

    /// Adds the shortcut to the node of a static pattern, whose text is its path without the first
    /// slash.
    pub fn add_whole_path(&mut self, text: Span, node: u32) {
        self.whole_path_lengths |= 1 << (text.len() & 63);
        self.add_static(WHOLE_PATHS, text, node);
    }

    /// Adds a static edge, whose text must be new at its node.
    pub fn add_static(&mut self, parent: u32, text: Span, child: u32) {
        let hash = hash(parent, &self.text, text.start as usize, text.len() as usize);
        let edge = self.static_edges.push(StaticEdge { parent, hash, text, child });
        let node = &mut self.nodes[parent];
        node.has_more_static = node.static_edge != 0;
        node.static_edge = edge;
        self.place(edge);
    }

    /// Adds an edge to the hash table, at least half of which stays free.
    fn place(&mut self, new: u32) {
        let mut first = new;
        let least = 2 * self.static_edges.len();
        if self.slots.len() < least {
            let size = least.next_power_of_two();
            self.slots = List::new();
            self.slots.fill_up(size);
            self.shift = 32 - size.trailing_zeros();
            first = 1;
        }
        for edge in first..=new {
            let hash = self.static_edges[edge].hash;
            let mut at = (hash >> self.shift) as usize;
            while self.slots[at].edge != 0 {
                at = (at + 1) & (self.slots.len() - 1);
            }
            self.slots[at] = Slot { hash, edge };
        }
    }

    /// Adds text, and moves the padding after it.
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

//! Adds routes to the trie.

use crate::Router;
use crate::error::Reason;
use crate::list::{List, part};
use crate::mixed::{NO_CONSTRAINT, Piece};
use crate::pattern::{Kind, Segment, Span};
use crate::trie::{ABSENT, Edge, Leaf, MethodRoute, Node, ROOT, Trie};

impl Router {
    /// Adds a route for the source in `pattern`.
    pub(crate) fn insert_source(&mut self, method: u32) -> Result<u32, Reason> {
        self.trie.prepare();
        let parsed = self.pattern.parse();
        self.position = self.pattern.next as u32;
        parsed?;
        let written = self.pattern.segments.len();
        if self.ignore_trailing_slash {
            drop_trailing_slash(&mut self.pattern.segments);
        }
        let dropped = written - self.pattern.segments.len();
        self.intern_constraints()?;
        let variants = 1u32 << self.pattern.optionals;
        // Edges distinguish optional parameters, so only patterns of the same shape share the leaf
        // of the variant with all optional segments. If one was added before, this adds nothing.
        let all = self.add_variant(variants - 1);
        let leaf = *self.trie.leaves_at(all);
        let mut order = self.trie.leaves[leaf].order;
        if leaf == 0 || order >= ABSENT {
            order = self.routes;
            self.add_whole_path(all.node, dropped);
        } else if let Some(route) = self.trie.route_of(leaf, method) {
            self.position = route;
            return Err(Reason::Duplicate);
        }
        let route = self.routes;
        let first_answer = self.answers;
        for index in 0..variants {
            let variant = variants - 1 - index;
            let absent = self.pattern.optionals - variant.count_ones();
            let place = self.add_variant(variant);
            let answer = first_answer + index;
            self.trie.add_route(
                place,
                order + absent * ABSENT,
                MethodRoute { method, route, answer, next: 0 },
            );
        }
        self.answers += variants;
        self.routes += 1;
        self.prepare_search(method);
        Ok(first_answer)
    }

    /// Compiles the constraints before anything is added, so that an invalid one leaves no trace. A
    /// constraint of a route that is rejected later stays compiled, which is harmless.
    fn intern_constraints(&mut self) -> Result<(), Reason> {
        for index in 0..self.pattern.parameters.len() {
            let span = self.pattern.parameters[index].expression;
            let mut constraint = NO_CONSTRAINT;
            if !span.is_empty() {
                let compiled = self.trie.constraints.intern(span.of(&self.pattern.source));
                self.position = span.start + self.trie.constraints.position() as u32;
                constraint = compiled?;
            }
            self.pattern.parameters[index].constraint = constraint;
        }
        Ok(())
    }

    /// Allocates what a search for this route writes to.
    fn prepare_search(&mut self, method: u32) {
        let parameters = self.pattern.parameters.len();
        self.depth = self.depth.max(self.pattern.segments.len());
        self.path.prepare(self.depth);
        self.walk.prepare(self.depth, parameters, method as usize + 1);
    }

    /// Lists the segments of a variant of the current pattern.
    fn list_segments(&mut self, variant: u32) {
        self.variant.truncate(0);
        let mut bit = 1u32 << self.pattern.optionals;
        for segment in self.pattern.segments.iter() {
            if segment.kind.is_optional() {
                bit >>= 1;
                if variant & bit == 0 {
                    continue;
                }
            }
            self.variant.push(*segment);
        }
        if self.variant.is_empty() {
            // Without segments the path is `/`, which has one empty segment.
            self.variant.push(EMPTY_SEGMENT);
        }
        if self.ignore_trailing_slash {
            drop_trailing_slash(&mut self.variant);
        }
    }

    /// Returns the child that the edge of a segment leads to, or 0 without such an edge.
    fn child(&self, node: u32, segment: &Segment) -> u32 {
        if segment.kind == Kind::Static {
            let (start, length) = (segment.lead.start as usize, segment.lead.len() as usize);
            return self.trie.static_child(node, &self.pattern.text, start, length);
        }
        let mut edge = self.trie.nodes[node].first_edge;
        while edge != 0 {
            let known = &self.trie.edges[edge];
            if self.has_shape(known, segment) {
                return known.child;
            }
            edge = known.next;
        }
        0
    }

    /// Returns whether an edge and a segment differ at most in the names of parameters.
    fn has_shape(&self, edge: &Edge, segment: &Segment) -> bool {
        let same_text =
            |known: Span, new: Span| known.of(&self.trie.text) == new.of(&self.pattern.text);
        let same_piece = |index: u32| {
            let piece = &self.trie.pieces[edge.first_piece + index];
            let parameter = &self.pattern.parameters[segment.first_parameter + index];
            piece.constraint == parameter.constraint && same_text(piece.after, parameter.after)
        };
        edge.kind == segment.kind
            && edge.pieces == segment.parameters
            && same_text(edge.lead, segment.lead)
            && (0..edge.pieces).all(same_piece)
    }

    /// Adds the missing nodes and edges of a variant, and returns its end.
    fn add_variant(&mut self, variant: u32) -> Place {
        self.list_segments(variant);
        let mut node = ROOT;
        for index in 0..self.variant.len() {
            let segment = self.variant[index];
            if segment.kind == Kind::Wildcard {
                return Place { node, is_wildcard: true };
            }
            let child = self.child(node, &segment);
            node = if child == 0 { self.add_child(node, &segment) } else { child };
        }
        Place { node, is_wildcard: false }
    }

    /// Adds the shortcut to the node of a static pattern, whose last `dropped` bytes are ignored
    /// slashes. Patterns with escapes get none: their source differs from the paths they match.
    fn add_whole_path(&mut self, node: u32, dropped: usize) {
        let source = &self.pattern.source;
        let is_plain = source.iter().all(|&byte| byte != b'%' && byte != b'\\');
        if is_plain && self.pattern.parameters.is_empty() {
            let text = self.trie.add_text(part(source, 1, source.len() - dropped));
            self.trie.add_whole_path(text, node);
        }
    }

    fn add_child(&mut self, node: u32, segment: &Segment) -> u32 {
        let child = self.trie.nodes.push(Node::default());
        let lead = self.trie.add_text(segment.lead.of(&self.pattern.text));
        if segment.kind == Kind::Static {
            self.trie.add_static(node, lead, child);
            return child;
        }
        let first_piece = self.trie.pieces.len() as u32;
        let mut text_length = lead.len();
        for index in 0..segment.parameters {
            let parameter = &self.pattern.parameters[segment.first_parameter + index];
            let after = self.trie.add_text(parameter.after.of(&self.pattern.text));
            text_length += after.len();
            self.trie.pieces.push(Piece { constraint: parameter.constraint, after });
        }
        if !matches!(segment.kind, Kind::Parameter | Kind::Optional) {
            self.walk.split.prepare(segment.parameters as usize);
        }
        let (kind, pieces) = (segment.kind, segment.parameters);
        let rank = (kind as u32 + 1) * RANK - text_length;
        self.trie.add_edge(node, Edge { kind, rank, child, next: 0, lead, first_piece, pieces });
        child
    }
}

/// Exceeds the length of the text of any segment.
const RANK: u32 = 1 << 16;

const EMPTY_SEGMENT: Segment = Segment {
    kind: Kind::Static,
    lead: Span { start: 0, end: 0 },
    first_parameter: 0,
    parameters: 0,
};

/// Removes an empty last segment, unless the one before it is empty too.
fn drop_trailing_slash(segments: &mut List<Segment>) {
    if let [.., before, last] = &**segments
        && last.is_empty()
        && !before.is_empty()
    {
        segments.truncate(segments.len() - 1);
    }
}

/// End of a variant: a node, or the wildcard below it.
#[derive(Clone, Copy)]
struct Place {
    node: u32,
    is_wildcard: bool,
}

impl Trie {
    /// Inserts an edge in the order in which the edges of its node are tried.
    fn add_edge(&mut self, node: u32, edge: Edge) {
        let mut before = 0;
        let mut next = self.nodes[node].first_edge;
        while next != 0 && self.edges[next].rank <= edge.rank {
            before = next;
            next = self.edges[next].next;
        }
        let new = self.edges.push(Edge { next, ..edge });
        if before == 0 {
            self.nodes[node].first_edge = new;
        } else {
            self.edges[before].next = new;
        }
    }

    /// Returns the route of a leaf for a method.
    fn route_of(&self, leaf: u32, method: u32) -> Option<u32> {
        let mut next = self.leaves[leaf].first_method;
        while next != 0 {
            let known = &self.method_routes[next];
            if known.method == method {
                return Some(known.route);
            }
            next = known.next;
        }
        None
    }

    /// Returns the list of leaves at a place.
    fn leaves_at(&mut self, place: Place) -> &mut u32 {
        let node = &mut self.nodes[place.node];
        if place.is_wildcard { &mut node.wildcard } else { &mut node.end }
    }

    /// Adds a method to the leaf of its pattern. The first one creates the leaf.
    fn add_route(&mut self, place: Place, order: u32, route: MethodRoute) {
        let mut before = 0;
        let mut leaf = *self.leaves_at(place);
        while leaf != 0 && self.leaves[leaf].order < order {
            before = leaf;
            leaf = self.leaves[leaf].next;
        }
        if leaf == 0 || self.leaves[leaf].order != order {
            leaf = self.leaves.push(Leaf { order, first_method: 0, next: leaf });
            if before == 0 {
                *self.leaves_at(place) = leaf;
            } else {
                self.leaves[before].next = leaf;
            }
        }
        // Two variants of a pattern may have the same shape, as in `/:a?/:b?`. The first one, which
        // keeps the leftmost optional segment, wins.
        if self.route_of(leaf, route.method).is_some() {
            return;
        }
        let next = self.leaves[leaf].first_method;
        self.leaves[leaf].first_method = self.method_routes.push(MethodRoute { next, ..route });
    }
}

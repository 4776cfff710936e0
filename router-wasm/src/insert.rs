//! Adds routes to the trie.

use crate::Router;
use crate::error::{Reason, RouteError};
use crate::mixed::{END_WORDS, NO_CONSTRAINT, Piece};
use crate::pattern::{Kind, Parameter, Segment, Span};
use crate::trie::{Edge, Leaf, MethodRoute, Node, ROOT, Trie};

impl Router {
    /// Adds the route number `routes()` for a method, and returns its first answer.
    ///
    /// A pattern with `n` optional segments has 2ⁿ answers, one for each variant: the answers count
    /// down from "all are there", with the leftmost optional as the highest bit.
    pub fn insert(&mut self, method: u32, pattern: &[u8]) -> Result<u32, RouteError> {
        self.pattern.parse(pattern, self.ignore_trailing_slash)?;
        self.intern_constraints(pattern)?;
        let variants = 1u32 << self.pattern.optionals;
        if let Some(route) = self.route_of_same_shape(method, variants - 1) {
            return Err(RouteError { reason: Reason::Duplicate, position: route });
        }
        self.reserve(method, variants as usize)?;

        let first_answer = self.answers;
        let route = self.routes;
        let known = self.leaf_of_same_shape(variants - 1);
        let pattern = if known == 0 { route } else { self.trie.leaves[known as usize].pattern };
        for variant in (0..variants).rev() {
            let answer = first_answer + (variants - 1 - variant);
            let absent = self.pattern.optionals - variant.count_ones();
            let place = self.add_variant(variant);
            self.trie.add_route(
                place,
                Leaf { pattern, absent, ..Leaf::default() },
                method,
                answer,
                route,
            );
        }
        self.answers += variants;
        self.routes += 1;
        Ok(first_answer)
    }

    /// Compiles the constraints first: a bad one must be found before anything is added. One that
    /// is compiled for a route that is refused after all is only known in advance.
    fn intern_constraints(&mut self, source: &[u8]) -> Result<(), RouteError> {
        self.piece_constraints.clear();
        self.piece_constraints.try_reserve(self.pattern.parameters.len())?;
        for parameter in &self.pattern.parameters {
            let number = if parameter.constraint.is_empty() {
                NO_CONSTRAINT
            } else {
                let at = parameter.constraint.start as usize;
                self.trie.constraints.intern(parameter.constraint.of(source), at)?
            };
            self.piece_constraints.push(number);
        }
        Ok(())
    }

    /// Makes room for everything that this route may add, so that adding cannot fail halfway.
    fn reserve(&mut self, method: u32, variants: usize) -> Result<(), RouteError> {
        let segments = (self.pattern.segments.len() + 1) * variants;
        let parameters = self.pattern.parameters.len();
        self.trie.nodes.try_reserve(segments)?;
        self.trie.edges.try_reserve(segments)?;
        self.trie.pieces.try_reserve(parameters * variants)?;
        self.trie.leaves.try_reserve(variants)?;
        self.trie.method_routes.try_reserve(variants)?;
        self.trie.text.try_reserve(self.pattern.text.len() * variants)?;
        self.trie.reserve_static(segments)?;

        self.path.reserve(self.pattern.segments.len().max(self.depth))?;
        self.depth = self.depth.max(self.pattern.segments.len());
        self.walk.reserve(self.depth, parameters)?;
        self.walk.reserve_method(method)?;
        for segment in &self.pattern.segments {
            let range = segment.first_parameter as usize..;
            let constraints = &self.piece_constraints[range][..segment.parameters as usize];
            if segment.parameters > 1 && constraints.iter().any(|&one| one != NO_CONSTRAINT) {
                self.walk.reserve_ends(segment.parameters as usize * END_WORDS)?;
            }
        }
        Ok(())
    }

    /// The route that has this method and the shape of the pattern at hand.
    fn route_of_same_shape(&self, method: u32, all: u32) -> Option<u32> {
        let leaf = self.leaf_of_same_shape(all);
        self.trie.method_routes(leaf).find(|known| known.method == method).map(|known| known.route)
    }

    /// The leaf of the pattern at hand with all its optional segments; 0 if it is new. Such a leaf
    /// is the pattern's alone, for its edges say which segments are optional.
    fn leaf_of_same_shape(&self, all: u32) -> u32 {
        let mut node = ROOT;
        let mut list = 0;
        for segment in self.variant(all) {
            if segment.kind == Kind::Wildcard {
                list = self.trie.nodes[node as usize].wildcard;
                return self.trie.leaf(list, 0);
            }
            match self.child(node, segment) {
                Some(child) => node = child,
                None => return 0,
            }
            list = self.trie.nodes[node as usize].end;
        }
        self.trie.leaf(list, 0)
    }

    /// The segments of a variant of the pattern at hand.
    fn variant(&self, variant: u32) -> impl Iterator<Item = &Segment> {
        let mut bit = 1u32 << self.pattern.optionals;
        let kept = self.pattern.segments.iter().filter(move |segment| {
            if segment.kind.is_optional() {
                bit >>= 1;
            }
            !segment.kind.is_optional() || variant & bit != 0
        });
        // Without any segment the path is `/`, which is one empty segment.
        let nothing_left =
            variant == 0 && self.pattern.segments.iter().all(|segment| segment.kind.is_optional());
        kept.chain(nothing_left.then_some(&EMPTY_SEGMENT))
    }

    fn child(&self, node: u32, segment: &Segment) -> Option<u32> {
        if segment.kind == Kind::Static {
            return self.trie.static_child(node, segment.lead.of(&self.pattern.text));
        }
        let mut edge = self.trie.nodes[node as usize].first_edge;
        while edge != 0 {
            let known = &self.trie.edges[edge as usize];
            if self.has_shape(known, segment) {
                return Some(known.child);
            }
            edge = known.next;
        }
        None
    }

    /// Whether an edge and a segment are the same but for the names of parameters.
    fn has_shape(&self, edge: &Edge, segment: &Segment) -> bool {
        let (trie, pattern) = (&self.trie, &self.pattern);
        let parameters = self.parameters_of(segment);
        edge.kind == segment.kind
            && edge.lead.of(&trie.text) == segment.lead.of(&pattern.text)
            && edge.pieces == segment.parameters
            && trie.pieces_of(edge).iter().zip(parameters).all(
                |(piece, (parameter, constraint))| {
                    piece.constraint == constraint
                        && piece.after.of(&trie.text) == parameter.after.of(&pattern.text)
                },
            )
    }

    fn parameters_of(&self, segment: &Segment) -> impl Iterator<Item = (&Parameter, u32)> {
        let range = segment.first_parameter as usize..;
        let constraints = self.piece_constraints[range.clone()].iter().copied();
        self.pattern.parameters[range].iter().zip(constraints).take(segment.parameters as usize)
    }

    /// Adds what a variant lacks of nodes and edges, and returns where it ends.
    fn add_variant(&mut self, variant: u32) -> Place {
        let mut node = ROOT;
        let mut index = 0;
        loop {
            let Some(segment) = self.variant(variant).nth(index).copied() else { break };
            if segment.kind == Kind::Wildcard {
                return Place::Wildcard(node);
            }
            node = match self.child(node, &segment) {
                Some(child) => child,
                None => self.add_child(node, &segment),
            };
            index += 1;
        }
        Place::End(node)
    }

    fn add_child(&mut self, node: u32, segment: &Segment) -> u32 {
        let child = self.trie.nodes.len() as u32;
        self.trie.nodes.push(Node::default());
        let lead = self.trie.add_text(segment.lead.of(&self.pattern.text));
        if segment.kind == Kind::Static {
            self.trie.add_static(node, lead, child);
            return child;
        }
        let first_piece = self.trie.pieces.len() as u32;
        let range = segment.first_parameter as usize..;
        let parameters = &self.pattern.parameters[range.clone()][..segment.parameters as usize];
        for (parameter, &constraint) in parameters.iter().zip(&self.piece_constraints[range]) {
            let after = self.trie.add_text(parameter.after.of(&self.pattern.text));
            self.trie.pieces.push(Piece { constraint, after });
        }
        self.trie.add_edge(
            node,
            Edge {
                kind: segment.kind,
                child,
                next: 0,
                lead,
                first_piece,
                pieces: segment.parameters,
            },
        );
        child
    }
}

const EMPTY_SEGMENT: Segment = Segment {
    kind: Kind::Static,
    lead: Span { start: 0, end: 0 },
    first_parameter: 0,
    parameters: 0,
};

/// Where a variant ends: at a node, or in a wildcard below it.
#[derive(Clone, Copy)]
enum Place {
    End(u32),
    Wildcard(u32),
}

impl Trie {
    fn add_text(&mut self, text: &[u8]) -> Span {
        let start = self.text.len();
        self.text.extend_from_slice(text);
        Span::new(start, self.text.len())
    }

    /// How many bytes of text a mixed edge asks for; more is tried first.
    fn text_length(&self, edge: &Edge) -> u32 {
        let length = |span: Span| span.end - span.start;
        self.pieces_of(edge).iter().fold(length(edge.lead), |sum, piece| sum + length(piece.after))
    }

    /// Puts an edge behind those of its node that are tried before it.
    fn add_edge(&mut self, node: u32, edge: Edge) {
        let rank = |trie: &Trie, edge: &Edge| (edge.kind, u32::MAX - trie.text_length(edge));
        let new_rank = rank(self, &edge);
        let new = self.edges.len() as u32;
        let mut before = 0;
        let mut next = self.nodes[node as usize].first_edge;
        while next != 0 && rank(self, &self.edges[next as usize]) <= new_rank {
            before = next;
            next = self.edges[next as usize].next;
        }
        self.edges.push(Edge { next, ..edge });
        if before == 0 {
            self.nodes[node as usize].first_edge = new;
        } else {
            self.edges[before as usize].next = new;
        }
    }

    /// The leaf of a list that does without `absent` segments, if such a variant is unique.
    fn leaf(&self, first: u32, absent: u32) -> u32 {
        let mut leaf = first;
        while leaf != 0 && self.leaves[leaf as usize].absent != absent {
            leaf = self.leaves[leaf as usize].next;
        }
        leaf
    }

    pub fn method_routes(&self, leaf: u32) -> impl Iterator<Item = MethodRoute> {
        let mut next = self.leaves[leaf as usize].first_method;
        core::iter::from_fn(move || {
            let method_route = *self.method_routes.get(next as usize).filter(|_| next != 0)?;
            next = method_route.next;
            Some(method_route)
        })
    }

    /// Adds a method to the leaf of its pattern, which is made if this is its first.
    fn add_route(&mut self, place: Place, wanted: Leaf, method: u32, answer: u32, route: u32) {
        let first = match place {
            Place::End(node) => self.nodes[node as usize].end,
            Place::Wildcard(node) => self.nodes[node as usize].wildcard,
        };
        let order = (wanted.absent, wanted.pattern);
        let mut before = 0;
        let mut leaf = first;
        while leaf != 0 {
            let known = &self.leaves[leaf as usize];
            if (known.absent, known.pattern) >= order {
                break;
            }
            before = leaf;
            leaf = known.next;
        }
        let known = &self.leaves[leaf as usize];
        if leaf == 0 || (known.absent, known.pattern) != order {
            let new = self.leaves.len() as u32;
            self.leaves.push(Leaf { next: leaf, ..wanted });
            match (before, place) {
                (0, Place::End(node)) => self.nodes[node as usize].end = new,
                (0, Place::Wildcard(node)) => self.nodes[node as usize].wildcard = new,
                _ => self.leaves[before as usize].next = new,
            }
            leaf = new;
        }
        // Two variants of one pattern may have the same shape, as in `/:a?/:b?`. The one that keeps
        // the leftmost optional came first and stays.
        if self.method_routes(leaf).any(|known| known.method == method) {
            return;
        }
        let next = self.leaves[leaf as usize].first_method;
        self.leaves[leaf as usize].first_method = self.method_routes.len() as u32;
        self.method_routes.push(MethodRoute { method, route, answer, next });
    }
}

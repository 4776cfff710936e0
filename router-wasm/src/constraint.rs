//! Constraints, `:name(regex)`: regular expressions that are matched in linear time.
//!
//! An expression is compiled to a position automaton (Glushkov construction): every character class
//! in it, after `{m,n}` has been expanded, is a *position*, and a set of positions is a 64-bit
//! number. A value is read once, character by character; each step is a union of follow sets and an
//! intersection with the positions that accept the character. Without backtracking, the time is
//! proportional to the length of the value. Values are matched whole, by code point.

use crate::compile::Compiler;
use crate::list::{List, part};
use crate::pattern::Span;
use crate::utf8;

/// Maximum number of positions of an expression.
pub const MAX_POSITIONS: u32 = 64;

/// Maximum length in the path of a segment with a constraint. A longer segment does not match: it
/// would be read once for every sibling with a constraint.
pub const MAX_CONSTRAINED: usize = 1024;

/// A set of positions.
pub type Set = u64;

/// A compiled expression.
#[derive(Clone, Copy)]
pub struct Automaton {
    /// Source of the expression in `Constraints::sources`.
    pub source: Span,
    /// Positions at which a value may start.
    pub first: Set,
    /// Positions at which a value may end.
    pub last: Set,
    /// Index of its first position in `Constraints::follow` and `Constraints::classes`.
    pub base: u32,
    pub positions: u32,
    /// Index in `Constraints::ascii` of 128 sets: the positions that accept each ASCII character.
    pub ascii: u32,
}

/// The characters that a position accepts: ranges in `Constraints::ranges`, or their complement.
#[derive(Clone, Copy)]
pub struct Class {
    pub first_range: u32,
    pub ranges: u32,
    pub negated: bool,
}

/// All expressions of a router. Equal expressions are stored once.
pub struct Constraints {
    pub(crate) automata: List<Automaton>,
    /// For each position, the positions that may follow it.
    pub(crate) follow: List<Set>,
    pub(crate) classes: List<Class>,
    pub(crate) ranges: List<(u32, u32)>,
    pub(crate) ascii: List<Set>,
    pub(crate) sources: List<u8>,
    pub(crate) compiler: Compiler,
}

impl Constraints {
    pub const fn new() -> Self {
        Self {
            automata: List::new(),
            follow: List::new(),
            classes: List::new(),
            ranges: List::new(),
            ascii: List::new(),
            sources: List::new(),
            compiler: Compiler::new(),
        }
    }

    /// Returns the positions that accept a character, by testing each.
    pub(crate) fn positions_of(&self, automaton: &Automaton, character: u32) -> Set {
        (0..automaton.positions).fold(0, |set, position| {
            let class = self.classes[automaton.base + position];
            let end = class.first_range + class.ranges;
            let ranges = part(&self.ranges, class.first_range as usize, end as usize);
            let inside = ranges.iter().any(|range| range.0 <= character && character <= range.1);
            set | Set::from(inside != class.negated) << position
        })
    }

    /// Returns the positions that accept a character.
    fn accepted(&self, automaton: &Automaton, character: u32) -> Set {
        if character < 128 {
            self.ascii[automaton.ascii + character]
        } else {
            self.positions_of(automaton, character)
        }
    }

    /// Returns the state before the first character of a value.
    pub fn before_first(&self, constraint: u32) -> State {
        State { active: 0, reached: self.automata[constraint].first }
    }

    /// Returns the state after the next character of a value.
    #[inline(always)]
    pub fn forward(&self, constraint: u32, state: State, character: u32) -> State {
        let automaton = &self.automata[constraint];
        let active = state.reached & self.accepted(automaton, character);
        let follow = members(active).map(|position| self.follow[automaton.base + position]);
        State { active, reached: follow.fold(0, |reached, follow| reached | follow) }
    }

    /// Returns whether a constraint accepts a whole value, which is not empty.
    pub fn accepts(&self, constraint: u32, value: &[u8]) -> bool {
        let mut state = self.before_first(constraint);
        let mut at = 0;
        while !state.is_dead()
            && let Some((character, width)) = utf8::next(value, at)
        {
            state = self.forward(constraint, state, character);
            at += width;
        }
        at == value.len() && self.may_end(constraint, state)
    }

    /// Returns whether the characters read so far are a whole value.
    pub fn may_end(&self, constraint: u32, state: State) -> bool {
        state.active & self.automata[constraint].last != 0
    }

    /// Reads a value from its end: returns the positions at which a character may stand that comes
    /// before the positions `active`, or, with `is_end`, that is the last one.
    pub fn backward(&self, constraint: u32, active: Set, character: u32, is_end: bool) -> Set {
        let automaton = &self.automata[constraint];
        let last = if is_end { automaton.last } else { 0 };
        members(self.accepted(automaton, character)).fold(0, |before, position| {
            let continues = self.follow[automaton.base + position] & active != 0;
            before | Set::from(continues || last >> position & 1 == 1) << position
        })
    }

    /// Returns whether the characters read backwards so far are a whole value.
    pub fn may_begin(&self, constraint: u32, active: Set) -> bool {
        active & self.automata[constraint].first != 0
    }
}

/// State of the automaton while it reads a value.
#[derive(Clone, Copy)]
pub struct State {
    /// Positions of the last character.
    active: Set,
    /// Positions that may come next.
    reached: Set,
}

impl State {
    /// Returns whether no continuation is accepted.
    pub fn is_dead(self) -> bool {
        self.reached == 0
    }
}

/// Returns the positions in a set.
pub fn members(mut set: Set) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        let position = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (position < MAX_POSITIONS).then_some(position)
    })
}

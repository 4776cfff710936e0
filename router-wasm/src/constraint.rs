//! Constraints, `:name(regex)`: regular expressions that are matched in linear time.
//!
//! An expression is compiled into a position automaton (Glushkov's): every character class in it,
//! after `{m,n}` are written out, is a *position*, and a set of positions is one 64-bit number.
//! A value is read once, character by character; each step is a union of follow sets and one
//! intersection with the positions that the character may stand at. Nothing is ever tried twice,
//! so no value takes longer than its length says. Values are matched whole, by code point.

use crate::compile::Compiler;
use crate::list::{List, part};
use crate::pattern::Span;

/// An expression may have this many positions.
pub const MAX_POSITIONS: u32 = 64;

/// A set of positions.
pub type Set = u64;

/// A compiled expression.
#[derive(Clone, Copy)]
pub struct Automaton {
    /// The expression as written, in `Constraints::sources`.
    pub source: Span,
    /// The positions a value may begin at.
    pub first: Set,
    /// The positions a value may end at.
    pub last: Set,
    /// In `Constraints::follow` and `Constraints::classes`: its first position.
    pub base: u32,
    pub positions: u32,
    /// In `Constraints::ascii`: the positions that accept character 0, and those of 127 others.
    pub ascii: u32,
}

/// The characters one position accepts: ranges in `Constraints::ranges`, or all others.
#[derive(Clone, Copy)]
pub struct Class {
    pub first_range: u32,
    pub ranges: u32,
    pub negated: bool,
}

/// All expressions of a router; equal ones are kept once.
pub struct Constraints {
    pub(crate) automata: List<Automaton>,
    /// The positions that may come after each position.
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

    /// The positions that accept a character, asked one by one.
    pub(crate) fn positions_of(&self, automaton: &Automaton, character: u32) -> Set {
        (0..automaton.positions).fold(0, |set, position| {
            let class = self.classes[automaton.base + position];
            let end = class.first_range + class.ranges;
            let ranges = part(&self.ranges, class.first_range as usize, end as usize);
            let inside = ranges.iter().any(|range| range.0 <= character && character <= range.1);
            set | Set::from(inside != class.negated) << position
        })
    }

    /// The positions that accept a character.
    fn accepted(&self, automaton: &Automaton, character: u32) -> Set {
        if character < 128 {
            self.ascii[automaton.ascii + character]
        } else {
            self.positions_of(automaton, character)
        }
    }

    /// The state in which nothing of a value has been read.
    pub fn before_first(&self, constraint: u32) -> State {
        State { active: 0, reached: self.automata[constraint].first }
    }

    /// The state after the next character of a value.
    pub fn forward(&self, constraint: u32, state: State, character: u32) -> State {
        let automaton = &self.automata[constraint];
        let active = state.reached & self.accepted(automaton, character);
        let follow = members(active).map(|position| self.follow[automaton.base + position]);
        State { active, reached: follow.fold(0, |reached, follow| reached | follow) }
    }

    /// Whether what has been read is a whole value.
    pub fn may_end(&self, constraint: u32, state: State) -> bool {
        state.active & self.automata[constraint].last != 0
    }

    /// The same the other way round: the positions at which the character before those of `active`
    /// may stand, or with `is_end` the last character of a value.
    pub fn backward(&self, constraint: u32, active: Set, character: u32, is_end: bool) -> Set {
        let automaton = &self.automata[constraint];
        let last = if is_end { automaton.last } else { 0 };
        members(self.accepted(automaton, character)).fold(0, |before, position| {
            let goes_on = self.follow[automaton.base + position] & active != 0;
            before | Set::from(goes_on || last >> position & 1 == 1) << position
        })
    }

    /// Whether what has been read backwards is a whole value.
    pub fn may_begin(&self, constraint: u32, active: Set) -> bool {
        active & self.automata[constraint].first != 0
    }
}

/// How far a value has been read.
#[derive(Clone, Copy)]
pub struct State {
    /// The positions of the last character.
    active: Set,
    /// The positions that may come next.
    reached: Set,
}

impl State {
    /// Whether no text makes this a value any more.
    pub fn is_dead(self) -> bool {
        self.reached == 0
    }
}

/// The positions in a set.
pub fn members(mut set: Set) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        let position = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (position < MAX_POSITIONS).then_some(position)
    })
}

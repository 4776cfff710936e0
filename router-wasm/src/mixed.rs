//! Mixed segments, `text:name.text`: text and parameters in one segment.
//!
//! A mixed segment is equivalent to the regular expression `^lead(p)after(p)after…$`, whose groups
//! are greedy from the left and never empty. Without constraints, the last occurrence of each text
//! is the separator. All methods below take time linear in the length of the segment. A segment
//! with a constraint is read character by character, so its length is limited.

use crate::block::find_last;
use crate::constraint::{Constraints, MAX_CONSTRAINED};
use crate::list::{List, item, part};
use crate::pattern::Span;
use crate::utf8;

/// One parameter of a mixed or constrained segment, as stored in the trie.
#[derive(Clone, Copy)]
pub struct Piece {
    /// Index in `Constraints`, or `NO_CONSTRAINT`.
    pub constraint: u32,
    /// The text after the parameter, in `Trie::text`.
    pub after: Span,
}

pub const NO_CONSTRAINT: u32 = u32::MAX;

/// Memory that splitting writes to.
pub struct Split {
    /// Start and end of each value in the segment split last.
    values: List<u32>,
    /// Bits for each parameter: bit n is set if its value may end at offset n.
    ends: List<u32>,
}

/// A decoded segment and the pattern to split it by.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// Buffer that contains the segment, padded by a block.
    pub buffer: &'a [u8],
    /// Offset of the segment in the buffer.
    pub start: usize,
    pub segment: &'a [u8],
    /// Length of the segment in the path, where each escape has three bytes.
    pub raw_length: usize,
    pub lead: &'a [u8],
    pub pieces: &'a [Piece],
    /// Text that the spans of `pieces` refer to, padded by a block.
    pub text: &'a [u8],
    pub constraints: &'a Constraints,
}

impl Split {
    pub const fn new() -> Self {
        Self { values: List::new(), ends: List::new() }
    }

    /// Allocates memory for segments with this many parameters.
    pub fn prepare(&mut self, parameters: usize) {
        self.values.fill_up(2 * parameters);
        self.ends.fill_up(parameters * (MAX_CONSTRAINED / 32 + 1));
    }

    pub fn value(&self, index: usize) -> Span {
        Span { start: self.values[2 * index], end: self.values[2 * index + 1] }
    }

    fn found(&mut self, index: usize, start: usize, end: usize) {
        self.values[2 * index] = start as u32;
        self.values[2 * index + 1] = end as u32;
    }

    /// Finds the values of a segment's parameters. Returns whether the segment matches.
    pub fn run(&mut self, task: Task) -> bool {
        let Task { segment, lead, pieces, text, .. } = task;
        let Some((last, others)) = pieces.split_last() else { return false };
        let after = last.after.of(text);
        if segment.len() <= lead.len() + after.len()
            || !segment.starts_with(lead)
            || !segment.ends_with(after)
        {
            return false;
        }
        let end = segment.len() - after.len();
        let is_constrained = pieces.iter().any(|piece| piece.constraint != NO_CONSTRAINT);
        if is_constrained && task.raw_length > MAX_CONSTRAINED {
            return false;
        }
        if is_constrained && !others.is_empty() {
            return self.split_by_constraints(task, end);
        }
        let value = part(segment, lead.len(), end);
        if is_constrained && !task.constraints.accepts(last.constraint, value) {
            return false;
        }
        self.split_at_last(task, end)
    }

    /// Finds the values from the right, whatever their constraints: each text is a separator where it
    /// occurs last, if that leaves a value after it.
    fn split_at_last(&mut self, task: Task, mut end: usize) -> bool {
        let lead = task.lead.len();
        for index in (1..task.pieces.len()).rev() {
            let text = task.piece(index - 1).after;
            let (first, last) = (task.start + lead + 1, task.start + end - 1);
            let Some(at) = find_last(task.buffer, first, last, task.text, text) else {
                return false;
            };
            let at = at - task.start;
            self.found(index, at + text.len() as usize, end);
            end = at;
        }
        self.found(0, lead, end);
        true
    }

    /// Finds the values of parameters of which some have constraints.
    ///
    /// The first pass, from the right, finds all offsets at which each value may end. The second,
    /// from the left, takes the last one that the constraint of the value accepts.
    fn split_by_constraints(&mut self, task: Task, end: usize) -> bool {
        let Task { segment, lead, pieces, .. } = task;
        let words = segment.len() / 32 + 1;
        for word in 0..pieces.len() * words {
            self.ends[word] = 0;
        }
        self.set_end((pieces.len() - 1) * words, end);
        for index in (1..pieces.len()).rev() {
            self.ends_before(task, index, words);
        }
        let mut start = lead.len();
        for index in 0..pieces.len() {
            let Some(end) = self.last_end(task, index, words, start) else { return false };
            self.found(index, start, end);
            start = end + task.after(index).len();
        }
        true
    }

    /// Records where the value before a parameter may end: where the text between the two starts,
    /// if it is followed by a value of the parameter that ends at one of the offsets recorded for
    /// it.
    fn ends_before(&mut self, task: Task, index: usize, words: usize) {
        let constraint = task.piece(index).constraint;
        let text = task.after(index - 1);
        let mut active = 0;
        let mut any_end = false;
        let mut at = task.segment.len();
        while let Some((character, width)) = utf8::previous(task.segment, task.lead.len(), at) {
            let is_end = self.is_end(index * words, at);
            any_end |= is_end;
            at -= width;
            let begins = if constraint == NO_CONSTRAINT {
                any_end
            } else {
                active = task.constraints.backward(constraint, active, character, is_end);
                task.constraints.may_begin(constraint, active)
            };
            if begins && at >= text.len() && task.has(text, at - text.len()) {
                self.set_end((index - 1) * words, at - text.len());
            }
        }
    }

    /// Returns the last recorded offset at which a value that starts at `start` may end.
    fn last_end(&self, task: Task, index: usize, words: usize, start: usize) -> Option<usize> {
        let constraint = task.piece(index).constraint;
        if constraint == NO_CONSTRAINT {
            let ends = (start + 1..=task.segment.len()).rev();
            return { ends }.find(|&end| self.is_end(index * words, end));
        }
        let mut last = None;
        let mut state = task.constraints.before_first(constraint);
        let mut at = start;
        while let Some((character, width)) = utf8::next(task.segment, at) {
            state = task.constraints.forward(constraint, state, character);
            at += width;
            if task.constraints.may_end(constraint, state) && self.is_end(index * words, at) {
                last = Some(at);
            }
            if state.is_dead() {
                break;
            }
        }
        last
    }

    fn set_end(&mut self, first_word: usize, at: usize) {
        self.ends[first_word + at / 32] |= 1 << (at % 32);
    }

    fn is_end(&self, first_word: usize, at: usize) -> bool {
        self.ends[first_word + at / 32] >> (at % 32) & 1 == 1
    }
}

impl<'a> Task<'a> {
    fn piece(&self, index: usize) -> Piece {
        *item(self.pieces, index)
    }

    /// Returns the text after a parameter.
    fn after(&self, index: usize) -> &'a [u8] {
        self.piece(index).after.of(self.text)
    }

    /// Returns whether the segment contains a text at an offset.
    fn has(&self, text: &[u8], at: usize) -> bool {
        self.segment.get(at..at + text.len()) == Some(text)
    }
}

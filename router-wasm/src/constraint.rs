//! Constraints, `:name(regex)`: regular expressions that are matched in linear time.
//!
//! An expression is compiled into a position automaton (Glushkov's): every character class in it,
//! after `{m,n}` are written out, is a *position*, and a set of positions is a few machine words.
//! A value is read once, character by character; each step is an union of follow sets and one
//! intersection with the positions that the character may stand at. Nothing is ever tried twice,
//! so no value takes longer than its length says. Values are matched whole, by code point.

use alloc::vec::Vec;

use crate::error::{Reason, RouteError};

/// An expression may have this many positions.
pub const MAX_POSITIONS: usize = 256;
const MAX_WORDS: usize = MAX_POSITIONS / 64;

/// A set of positions while an expression is compiled.
type Set = [u64; MAX_WORDS];
const EMPTY: Set = [0; MAX_WORDS];

/// A compiled expression: where its tables are in `Constraints::words`.
///
/// Behind `tables` lie, each `width` words long: the positions a value may begin at, those it may
/// end at, a follow set per position, and a set per class of ASCII characters.
#[derive(Clone, Copy)]
struct Automaton {
    /// The expression as written, in `Constraints::sources`.
    source: (u32, u32),
    tables: u32,
    width: u32,
    positions: u32,
    /// In `Constraints::ascii`: the class of each of the 128 characters.
    ascii: u32,
    /// In `Constraints::classes`: the class of each position, for the other characters.
    classes: u32,
}

/// The characters one position accepts: ranges in `Constraints::ranges`, or all others.
#[derive(Clone, Copy)]
struct Class {
    first_range: u32,
    ranges: u32,
    negated: bool,
}

/// All expressions of a router; equal ones are kept once.
#[derive(Default)]
pub struct Constraints {
    automata: Vec<Automaton>,
    words: Vec<u64>,
    ascii: Vec<u8>,
    sources: Vec<u8>,
    classes: Vec<Class>,
    ranges: Vec<(u32, u32)>,
    compiler: Compiler,
}

impl Constraints {
    /// The number of an expression, compiled if it is new. `at` is where it stands in the pattern.
    pub fn intern(&mut self, source: &[u8], at: usize) -> Result<u32, RouteError> {
        let known = self.automata.iter().position(|automaton| {
            &self.sources[automaton.source.0 as usize..automaton.source.1 as usize] == source
        });
        if let Some(index) = known {
            return Ok(index as u32);
        }
        let (classes, ranges) = (self.classes.len(), self.ranges.len());
        let compiled = self.compile(source, at);
        if compiled.is_err() {
            self.classes.truncate(classes);
            self.ranges.truncate(ranges);
        }
        compiled
    }

    fn compile(&mut self, source: &[u8], at: usize) -> Result<u32, RouteError> {
        let first_class = self.classes.len();
        let mut reader = Reader {
            source,
            next: 0,
            offset: at,
            compiler: &mut self.compiler,
            classes: &mut self.classes,
            ranges: &mut self.ranges,
            first_class,
        };
        let whole = reader.expression()?;
        let positions = self.classes.len() - first_class;
        let width = positions.div_ceil(64).max(1);
        let automaton = Automaton {
            source: (self.sources.len() as u32, (self.sources.len() + source.len()) as u32),
            tables: self.words.len() as u32,
            width: width as u32,
            positions: positions as u32,
            ascii: self.ascii.len() as u32,
            classes: first_class as u32,
        };
        self.automata.try_reserve(1)?;
        self.sources.try_reserve(source.len())?;
        self.ascii.try_reserve(128)?;
        // No more classes of characters than characters, and few of them in practice.
        self.words.try_reserve(width * (2 + positions + 128))?;

        self.sources.extend_from_slice(source);
        self.words.extend_from_slice(&whole.first[..width]);
        self.words.extend_from_slice(&whole.last[..width]);
        for follow in &self.compiler.follow[..positions] {
            self.words.extend_from_slice(&follow[..width]);
        }
        self.classify_ascii(&automaton);
        self.automata.push(automaton);
        Ok(self.automata.len() as u32 - 1)
    }

    /// Sorts the ASCII characters into classes that the same positions accept.
    fn classify_ascii(&mut self, automaton: &Automaton) {
        let width = automaton.width as usize;
        let base = self.words.len();
        let mut count = 0;
        for character in 0..128 {
            let mut set = EMPTY;
            self.positions_of(automaton, character, &mut set);
            let known = (0..count)
                .find(|class| self.words[base + class * width..][..width] == set[..width]);
            let class = known.unwrap_or(count);
            if class == count {
                self.words.extend_from_slice(&set[..width]);
                count += 1;
            }
            self.ascii.push(class as u8);
        }
    }

    /// The positions that accept a character, asked one by one.
    fn positions_of(&self, automaton: &Automaton, character: u32, set: &mut Set) {
        for position in 0..automaton.positions as usize {
            let class = self.classes[automaton.classes as usize + position];
            let ranges = &self.ranges[class.first_range as usize..][..class.ranges as usize];
            let inside = ranges.iter().any(|range| range.0 <= character && character <= range.1);
            if inside != class.negated {
                insert(set, position);
            }
        }
    }

    fn accepted_at(&self, automaton: &Automaton, character: u32, set: &mut Set) {
        *set = EMPTY;
        match self.ascii.get(automaton.ascii as usize + character as usize) {
            Some(&class) if character < 128 => {
                let width = automaton.width as usize;
                let skipped = 2 + automaton.positions as usize + class as usize;
                let from = automaton.tables as usize + skipped * width;
                set[..width].copy_from_slice(&self.words[from..from + width]);
            }
            _ => self.positions_of(automaton, character, set),
        }
    }

    fn table(&self, automaton: &Automaton, index: usize) -> &[u64] {
        let width = automaton.width as usize;
        &self.words[automaton.tables as usize + index * width..][..width]
    }

    /// Reads `text` from `start` on, and tells `accepted` every offset at which the text read so
    /// far is a whole value; until no longer value is possible.
    pub fn forward(
        &self,
        constraint: u32,
        text: &[u8],
        start: usize,
        mut accepted: impl FnMut(usize),
    ) {
        let automaton = &self.automata[constraint as usize];
        let mut active = EMPTY;
        let mut reached = EMPTY;
        let mut at = start;
        while let Some((character, width)) = next_character(text, at) {
            if at == start {
                copy(&mut reached, self.table(automaton, 0));
            } else {
                reached = EMPTY;
                for position in members(&active) {
                    unite(&mut reached, self.table(automaton, 2 + position));
                }
            }
            self.accepted_at(automaton, character, &mut active);
            intersect(&mut active, &reached);
            if active == EMPTY {
                return;
            }
            at += width;
            if meets(&active, self.table(automaton, 1)) {
                accepted(at);
            }
        }
    }

    /// Whether the whole of `text` is a value.
    pub fn accepts(&self, constraint: u32, text: &[u8]) -> bool {
        let mut whole = false;
        self.forward(constraint, text, 0, |end| whole = end == text.len());
        whole
    }

    /// Reads `text` backwards from `end` to `start`. A value may end wherever `ends` says so;
    /// `begins` is told every offset at which some value begins.
    pub fn backward(
        &self,
        constraint: u32,
        text: &[u8],
        (start, end): (usize, usize),
        mut ends: impl FnMut(usize) -> bool,
        mut begins: impl FnMut(usize),
    ) {
        let automaton = &self.automata[constraint as usize];
        let mut active = EMPTY;
        let mut candidates = EMPTY;
        let mut at = end;
        while let Some((character, width)) = previous_character(text, start, at) {
            let may_end = ends(at);
            self.accepted_at(automaton, character, &mut candidates);
            let mut before = EMPTY;
            for position in members(&candidates) {
                let goes_on = meets(&active, self.table(automaton, 2 + position));
                if goes_on || (may_end && contains(self.table(automaton, 1), position)) {
                    insert(&mut before, position);
                }
            }
            active = before;
            at -= width;
            if meets(&active, self.table(automaton, 0)) {
                begins(at);
            }
        }
    }
}

fn insert(set: &mut Set, position: usize) {
    set[position / 64] |= 1 << (position % 64);
}

fn contains(set: &[u64], position: usize) -> bool {
    set[position / 64] >> (position % 64) & 1 == 1
}

fn unite(set: &mut Set, other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}

fn intersect(set: &mut Set, other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word &= other);
}

fn copy(set: &mut Set, other: &[u64]) {
    *set = EMPTY;
    unite(set, other);
}

fn meets(set: &[u64], other: &[u64]) -> bool {
    set.iter().zip(other).any(|(word, other)| word & other != 0)
}

fn members(set: &Set) -> impl Iterator<Item = usize> + use<> {
    let set = *set;
    let mut word = 0;
    let mut left = set[0];
    core::iter::from_fn(move || {
        while left == 0 {
            word += 1;
            left = *set.get(word)?;
        }
        let bit = left.trailing_zeros() as usize;
        left &= left - 1;
        Some(word * 64 + bit)
    })
}

/// The code point at `at` and its width. Text is UTF-8; a stray byte passes as one of its own.
fn next_character(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let first = u32::from(*text.get(at)?);
    let width = match first {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf7 => 4,
        _ => return Some((first, 1)),
    };
    let rest = text.get(at + 1..at + width)?;
    let lead = first & (0x7f >> width);
    Some((rest.iter().fold(lead, |point, byte| point << 6 | u32::from(byte & 0x3f)), width))
}

/// The code point that ends at `end`, if it begins no earlier than `start`.
fn previous_character(text: &[u8], start: usize, end: usize) -> Option<(u32, usize)> {
    let from = (start..end).rev().find(|&at| text[at] & 0xc0 != 0x80)?;
    next_character(&text[..end], from)
}

/// What a part of an expression contributes: the positions its values begin and end at.
#[derive(Clone, Copy)]
struct Fragment {
    nullable: bool,
    first: Set,
    last: Set,
}

impl Fragment {
    const NOTHING: Fragment = Fragment { nullable: true, first: EMPTY, last: EMPTY };

    fn or(self, other: Fragment) -> Fragment {
        let mut either = self;
        either.nullable |= other.nullable;
        unite(&mut either.first, &other.first);
        unite(&mut either.last, &other.last);
        either
    }
}

/// A group that is still open.
struct Group {
    /// The alternatives before the last `|`.
    before: Option<Fragment>,
    /// What has been read since.
    sequence: Fragment,
    /// The first position inside the group.
    start: usize,
}

/// What compiling needs besides the result; kept, so that registering leaves nothing behind.
#[derive(Default)]
struct Compiler {
    follow: Vec<Set>,
    groups: Vec<Group>,
}

struct Reader<'a> {
    source: &'a [u8],
    next: usize,
    /// Where `source` stands in the pattern.
    offset: usize,
    compiler: &'a mut Compiler,
    classes: &'a mut Vec<Class>,
    ranges: &'a mut Vec<(u32, u32)>,
    first_class: usize,
}

/// `\w`, `\d` and `\s` as JavaScript has them.
const WORD: &[(u32, u32)] = &[(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)];
const DIGIT: &[(u32, u32)] = &[(0x30, 0x39)];
const SPACE: &[(u32, u32)] = &[
    (0x09, 0x0d),
    (0x20, 0x20),
    (0xa0, 0xa0),
    (0x1680, 0x1680),
    (0x2000, 0x200a),
    (0x2028, 0x2029),
    (0x202f, 0x202f),
    (0x205f, 0x205f),
    (0x3000, 0x3000),
    (0xfeff, 0xfeff),
];
/// What `.` does not stand for.
const LINE_ENDS: &[(u32, u32)] = &[(0x0a, 0x0a), (0x0d, 0x0d), (0x2028, 0x2029)];
const HIGHEST: u32 = 0x10_ffff;

impl Reader<'_> {
    fn error(&self, reason: Reason) -> RouteError {
        RouteError::at(reason, self.offset + self.next)
    }

    fn peek(&self) -> Option<u8> {
        self.source.get(self.next).copied()
    }

    fn positions(&self) -> usize {
        self.classes.len() - self.first_class
    }

    /// Reads the whole expression. Groups are kept on a list of their own instead of the call
    /// stack, so that no depth of nesting overflows it.
    fn expression(&mut self) -> Result<Fragment, RouteError> {
        self.compiler.follow.clear();
        self.compiler.groups.clear();
        self.open_group()?;
        while let Some(byte) = self.peek() {
            let start = self.positions();
            match byte {
                b'(' => {
                    self.group_prefix()?;
                    self.open_group()?;
                }
                b')' => {
                    // The pattern's own parentheses are balanced, so an outer group is left.
                    let (group, start) = self.close_group();
                    self.next += 1;
                    self.repeated(group, start)?;
                }
                b'|' => {
                    self.next += 1;
                    if let Some(group) = self.compiler.groups.last_mut() {
                        let before = group.before.take();
                        group.before = Some(either(before, group.sequence));
                        group.sequence = Fragment::NOTHING;
                    }
                }
                b'^' if self.at_outer_start() => self.next += 1,
                b'$' if self.at_outer_end() => self.next += 1,
                b'^' | b'$' => return Err(self.error(Reason::NotRegular)),
                b'*' | b'+' | b'?' | b'{' | b'}' | b']' => {
                    return Err(self.error(Reason::InvalidConstraint));
                }
                b'.' => {
                    self.next += 1;
                    let class = self.class_of(LINE_ENDS, true)?;
                    let atom = self.position(class)?;
                    self.repeated(atom, start)?;
                }
                b'[' => {
                    let class = self.bracket_class()?;
                    let atom = self.position(class)?;
                    self.repeated(atom, start)?;
                }
                b'\\' => {
                    let class = match self.escape_class()? {
                        Some((ranges, negated)) => self.class_of(ranges, negated)?,
                        None => {
                            let character = self.escaped_character()?;
                            self.class_of(&[(character, character)], false)?
                        }
                    };
                    let atom = self.position(class)?;
                    self.repeated(atom, start)?;
                }
                _ => {
                    let character = self.character()?;
                    let class = self.class_of(&[(character, character)], false)?;
                    let atom = self.position(class)?;
                    self.repeated(atom, start)?;
                }
            }
        }
        if self.compiler.groups.len() != 1 {
            return Err(self.error(Reason::UnbalancedParenthesis));
        }
        Ok(self.close_group().0)
    }

    fn open_group(&mut self) -> Result<(), RouteError> {
        let start = self.positions();
        self.compiler.groups.try_reserve(1)?;
        self.compiler.groups.push(Group { before: None, sequence: Fragment::NOTHING, start });
        Ok(())
    }

    fn close_group(&mut self) -> (Fragment, usize) {
        match self.compiler.groups.pop() {
            Some(group) => (either(group.before, group.sequence), group.start),
            None => (Fragment::NOTHING, 0),
        }
    }

    /// Reads `(`, `(?:` or `(?<name>`.
    fn group_prefix(&mut self) -> Result<(), RouteError> {
        self.next += 1;
        if self.peek() != Some(b'?') {
            return Ok(());
        }
        match self.source.get(self.next + 1..) {
            Some([b':', ..]) => self.next += 2,
            Some([b'<', b'=' | b'!', ..]) => return Err(self.error(Reason::NotRegular)),
            Some([b'<', name @ ..]) => match name.iter().position(|&byte| byte == b'>') {
                Some(length) => self.next += length + 3,
                None => return Err(self.error(Reason::InvalidConstraint)),
            },
            _ => return Err(self.error(Reason::NotRegular)),
        }
        Ok(())
    }

    /// Whether `^` says nothing here: values are matched whole anyhow.
    fn at_outer_start(&self) -> bool {
        let before = self.next.checked_sub(1).and_then(|at| self.source.get(at));
        self.compiler.groups.len() == 1 && matches!(before, None | Some(b'|'))
    }

    /// Whether `$` says nothing here.
    fn at_outer_end(&self) -> bool {
        let after = self.source.get(self.next + 1);
        self.compiler.groups.len() == 1 && matches!(after, None | Some(b'|'))
    }

    /// Adds a position of a class.
    fn position(&mut self, class: Class) -> Result<Fragment, RouteError> {
        let position = self.positions();
        if position == MAX_POSITIONS {
            return Err(self.error(Reason::ConstraintTooLarge));
        }
        self.classes.try_reserve(1)?;
        self.compiler.follow.try_reserve(1)?;
        self.classes.push(class);
        self.compiler.follow.push(EMPTY);
        let mut set = EMPTY;
        insert(&mut set, position);
        Ok(Fragment { nullable: false, first: set, last: set })
    }

    /// Reads the quantifier behind an atom, whose positions begin at `start`, and appends it.
    fn repeated(&mut self, atom: Fragment, start: usize) -> Result<(), RouteError> {
        let (least, most) = match self.peek() {
            Some(b'*') => (0, None),
            Some(b'+') => (1, None),
            Some(b'?') => (0, Some(1)),
            Some(b'{') => self.bounds()?,
            _ => {
                self.append(atom);
                return Ok(());
            }
        };
        self.next += 1;
        // A lazy quantifier allows the same values.
        if self.peek() == Some(b'?') {
            self.next += 1;
        }
        let end = self.positions();
        let copies = most.unwrap_or(least.max(1));
        for copy in 0..copies {
            let mut part = if copy == 0 { atom } else { self.copy(atom, start, end, copy)? };
            if most.is_none() && copy + 1 == copies {
                self.link(&part.last, &part.first);
            }
            part.nullable |= copy >= least;
            self.append(part);
        }
        Ok(())
    }

    /// Reads `{m}`, `{m,}` or `{m,n}` up to the brace.
    fn bounds(&mut self) -> Result<(usize, Option<usize>), RouteError> {
        self.next += 1;
        let least = self.number()?;
        if self.peek() == Some(b'}') {
            return Ok((least, Some(least)));
        }
        if self.peek() != Some(b',') {
            return Err(self.error(Reason::InvalidConstraint));
        }
        self.next += 1;
        let most = if self.peek() == Some(b'}') { None } else { Some(self.number()?) };
        if self.peek() != Some(b'}') || most.is_some_and(|most| most < least) {
            return Err(self.error(Reason::InvalidConstraint));
        }
        Ok((least, most))
    }

    fn number(&mut self) -> Result<usize, RouteError> {
        let start = self.next;
        let mut value = 0usize;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value * 10 + usize::from(digit - b'0');
            if value > MAX_POSITIONS {
                return Err(self.error(Reason::ConstraintTooLarge));
            }
            self.next += 1;
        }
        if self.next == start {
            return Err(self.error(Reason::InvalidConstraint));
        }
        Ok(value)
    }

    /// Writes an atom with the positions `start..end` out once more, as its copy number `copy`.
    fn copy(
        &mut self,
        atom: Fragment,
        start: usize,
        end: usize,
        copy: usize,
    ) -> Result<Fragment, RouteError> {
        let shift = (end - start) * copy;
        let move_set = |set: &Set| {
            let mut moved = EMPTY;
            for position in members(set).filter(|&position| start <= position && position < end) {
                insert(&mut moved, position + shift);
            }
            moved
        };
        if self.positions() + (end - start) > MAX_POSITIONS {
            return Err(self.error(Reason::ConstraintTooLarge));
        }
        self.classes.try_reserve(end - start)?;
        self.compiler.follow.try_reserve(end - start)?;
        for position in start..end {
            self.classes.push(self.classes[self.first_class + position]);
            let moved = move_set(&self.compiler.follow[position]);
            self.compiler.follow.push(moved);
        }
        Ok(Fragment {
            nullable: atom.nullable,
            first: move_set(&atom.first),
            last: move_set(&atom.last),
        })
    }

    /// Lets the positions `to` come after the positions `from`.
    fn link(&mut self, from: &Set, to: &Set) {
        for position in members(from) {
            unite(&mut self.compiler.follow[position], to);
        }
    }

    /// Puts a part behind the sequence of the innermost group.
    fn append(&mut self, part: Fragment) {
        let Some(group) = self.compiler.groups.last_mut() else { return };
        let before = group.sequence;
        let mut sequence = part;
        sequence.nullable &= before.nullable;
        if part.nullable {
            unite(&mut sequence.last, &before.last);
        }
        sequence.first = before.first;
        if before.nullable {
            unite(&mut sequence.first, &part.first);
        }
        group.sequence = sequence;
        self.link(&before.last, &part.first);
    }

    fn class_of(&mut self, ranges: &[(u32, u32)], negated: bool) -> Result<Class, RouteError> {
        let first_range = self.ranges.len() as u32;
        self.ranges.try_reserve(ranges.len())?;
        self.ranges.extend_from_slice(ranges);
        Ok(Class { first_range, ranges: ranges.len() as u32, negated })
    }

    /// Reads a `[…]`.
    fn bracket_class(&mut self) -> Result<Class, RouteError> {
        self.next += 1;
        let negated = self.peek() == Some(b'^');
        self.next += usize::from(negated);
        let first_range = self.ranges.len();
        loop {
            match self.peek() {
                None => return Err(self.error(Reason::InvalidConstraint)),
                Some(b']') => break,
                Some(_) => self.class_member()?,
            }
        }
        self.next += 1;
        Ok(Class {
            first_range: first_range as u32,
            ranges: (self.ranges.len() - first_range) as u32,
            negated,
        })
    }

    /// Reads a character, a range or a `\d` inside brackets.
    fn class_member(&mut self) -> Result<(), RouteError> {
        if self.peek() == Some(b'\\')
            && let Some((ranges, negated)) = self.escape_class()?
        {
            return self.add_ranges(ranges, negated);
        }
        let low = self.class_character()?;
        let is_range = self.peek() == Some(b'-')
            && !matches!(self.source.get(self.next + 1), None | Some(b']'));
        if !is_range {
            return self.add_ranges(&[(low, low)], false);
        }
        self.next += 1;
        let high = self.class_character()?;
        if high < low {
            return Err(self.error(Reason::InvalidConstraint));
        }
        self.add_ranges(&[(low, high)], false)
    }

    fn class_character(&mut self) -> Result<u32, RouteError> {
        if self.peek() == Some(b'\\') { self.escaped_character() } else { self.character() }
    }

    fn add_ranges(&mut self, ranges: &[(u32, u32)], negated: bool) -> Result<(), RouteError> {
        self.ranges.try_reserve(ranges.len() + 1)?;
        if !negated {
            self.ranges.extend_from_slice(ranges);
            return Ok(());
        }
        let mut low = 0;
        for &(start, end) in ranges {
            self.ranges.push((low, start - 1));
            low = end + 1;
        }
        self.ranges.push((low, HIGHEST));
        Ok(())
    }

    /// Reads one code point.
    fn character(&mut self) -> Result<u32, RouteError> {
        let (character, width) =
            next_character(self.source, self.next).ok_or(self.error(Reason::InvalidConstraint))?;
        self.next += width;
        Ok(character)
    }

    /// Reads `\d \D \w \W \s \S`, if that is what comes; the flag says that it is the opposite.
    #[allow(clippy::type_complexity)]
    fn escape_class(&mut self) -> Result<Option<(&'static [(u32, u32)], bool)>, RouteError> {
        let (ranges, negated) = match self.source.get(self.next + 1) {
            Some(b'd') => (DIGIT, false),
            Some(b'D') => (DIGIT, true),
            Some(b'w') => (WORD, false),
            Some(b'W') => (WORD, true),
            Some(b's') => (SPACE, false),
            Some(b'S') => (SPACE, true),
            _ => return Ok(None),
        };
        self.next += 2;
        Ok(Some((ranges, negated)))
    }

    /// Reads `\n`, `\x41`, `\u0041`, `\u{41}` or an escaped sign.
    fn escaped_character(&mut self) -> Result<u32, RouteError> {
        self.next += 1;
        let Some(byte) = self.peek() else { return Err(self.error(Reason::InvalidConstraint)) };
        let plain = match byte {
            b'n' => 0x0a,
            b'r' => 0x0d,
            b't' => 0x09,
            b'f' => 0x0c,
            b'v' => 0x0b,
            b'x' => return self.hexadecimal(2),
            b'u' if self.source.get(self.next + 1) == Some(&b'{') => {
                self.next += 1;
                let point = self.hexadecimal(6)?;
                if self.peek() != Some(b'}') || point > HIGHEST {
                    return Err(self.error(Reason::InvalidConstraint));
                }
                self.next += 1;
                return Ok(point);
            }
            b'u' => return self.hexadecimal(4),
            b'b' | b'B' | b'k' | b'1'..=b'9' => return Err(self.error(Reason::NotRegular)),
            b'0' | b'a'..=b'z' | b'A'..=b'Z' => {
                return Err(self.error(Reason::InvalidConstraint));
            }
            _ => return self.character(),
        };
        self.next += 1;
        Ok(plain)
    }

    /// Reads digits behind the character at `next`: `count` of them, up to six before a brace.
    fn hexadecimal(&mut self, count: usize) -> Result<u32, RouteError> {
        self.next += 1;
        let start = self.next;
        let mut value = 0;
        while self.next < start + count {
            let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(16)) else {
                break;
            };
            value = value << 4 | digit;
            self.next += 1;
        }
        let read = self.next - start;
        if read == count || (count == 6 && read > 0) {
            Ok(value)
        } else {
            Err(self.error(Reason::InvalidConstraint))
        }
    }
}

fn either(before: Option<Fragment>, sequence: Fragment) -> Fragment {
    match before {
        Some(before) => before.or(sequence),
        None => sequence,
    }
}

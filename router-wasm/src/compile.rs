//! Compiler of constraints: parses a regular expression and links its positions.

use crate::constraint::{Automaton, Class, Constraints, MAX_POSITIONS, Set, members};
use crate::error::Reason;
use crate::list::List;
use crate::pattern::Span;
use crate::utf8;

/// State of the parser.
pub struct Compiler {
    groups: List<Group>,
    /// Index in `Constraints` of the position 0 of the expression.
    base: usize,
    /// Index in `Constraints::sources` of the next byte to read.
    next: usize,
    /// Index in `Constraints::sources` where the current alternative starts.
    begin: usize,
}

impl Compiler {
    pub const fn new() -> Self {
        Self { groups: List::new(), base: 0, next: 0, begin: 0 }
    }
}

/// A subexpression: the positions at which its values may start and end.
#[derive(Clone, Copy)]
struct Fragment {
    nullable: bool,
    first: Set,
    last: Set,
}

impl Fragment {
    /// Matches the empty string.
    const NOTHING: Fragment = Fragment { nullable: true, first: 0, last: 0 };
    /// Matches nothing.
    const NEVER: Fragment = Fragment { nullable: false, first: 0, last: 0 };

    fn or(self, other: Fragment) -> Fragment {
        Fragment {
            nullable: self.nullable || other.nullable,
            first: self.first | other.first,
            last: self.last | other.last,
        }
    }
}

/// An open group.
#[derive(Clone, Copy)]
struct Group {
    /// The alternatives before the last `|`.
    before: Fragment,
    /// The alternative being read.
    sequence: Fragment,
    /// The first position inside the group.
    start: u32,
}

impl Group {
    fn whole(self) -> Fragment {
        self.before.or(self.sequence)
    }
}

/// The classes `\w`, `\d` and `\s` of JavaScript.
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
/// The characters that `.` does not match.
const LINE_ENDS: &[(u32, u32)] = &[(0x0a, 0x0a), (0x0d, 0x0d), (0x2028, 0x2029)];
const HIGHEST: u32 = 0x10_ffff;

impl Constraints {
    /// Returns the index of an expression, and compiles it if it is new. After an error, `position`
    /// is where it was found.
    pub fn intern(&mut self, source: &[u8]) -> Result<u32, Reason> {
        for index in 0..self.automata.len() {
            if self.automata[index].source.of(&self.sources) == source {
                return Ok(index as u32);
            }
        }
        let base = self.classes.len();
        let ranges = self.ranges.len();
        let start = self.sources.len();
        self.sources.extend(source);
        self.compiler.base = base;
        self.compiler.next = start;
        self.compiler.begin = start;
        match self.expression() {
            Ok(whole) => Ok(self.add(whole, start)),
            Err(reason) => {
                self.classes.truncate(base);
                self.follow.truncate(base);
                self.ranges.truncate(ranges);
                self.sources.truncate(start);
                self.compiler.next -= start;
                Err(reason)
            }
        }
    }

    /// Returns the offset in the last expression at which an error was found.
    pub fn position(&self) -> usize {
        self.compiler.next
    }

    fn add(&mut self, whole: Fragment, start: usize) -> u32 {
        let automaton = Automaton {
            source: Span::new(start, self.sources.len()),
            first: whole.first,
            last: whole.last,
            base: self.compiler.base as u32,
            positions: self.positions(),
            ascii: self.ascii.len() as u32,
        };
        for character in 0..128 {
            let accepted = self.positions_of(&automaton, character);
            self.ascii.push(accepted);
        }
        self.automata.push(automaton)
    }

    /// Returns the byte `ahead` of the next one, or `END` after the last.
    fn peek(&self, ahead: usize) -> u8 {
        let at = self.compiler.next + ahead;
        if at < self.sources.len() { self.sources[at] } else { END }
    }

    /// Consumes the next byte if it is this one, and returns whether it was.
    fn take(&mut self, byte: u8) -> bool {
        let comes = self.peek(0) == byte;
        self.compiler.next += usize::from(comes);
        comes
    }

    fn positions(&self) -> u32 {
        (self.classes.len() - self.compiler.base) as u32
    }

    fn group(&mut self) -> &mut Group {
        let innermost = self.compiler.groups.len() - 1;
        &mut self.compiler.groups[innermost]
    }

    /// Parses the whole expression. Open groups are kept in a list, not on the call stack, which
    /// deep nesting would overflow.
    fn expression(&mut self) -> Result<Fragment, Reason> {
        self.compiler.groups.truncate(0);
        self.open_group();
        loop {
            match self.peek(0) {
                END => break,
                b'(' => {
                    self.group_prefix()?;
                    self.open_group();
                }
                b')' => {
                    // The pattern parser ends an expression at the balancing parenthesis, so a
                    // group is open here.
                    let group = *self.group();
                    let outer = self.compiler.groups.len() - 1;
                    self.compiler.groups.truncate(outer);
                    self.compiler.next += 1;
                    self.repeated(group.whole(), group.start)?;
                }
                b'|' => {
                    let group = self.group();
                    group.before = group.whole();
                    group.sequence = Fragment::NOTHING;
                    self.compiler.next += 1;
                    self.compiler.begin = self.compiler.next;
                }
                byte @ (b'^' | b'$') => self.anchor(byte)?,
                b'*' | b'+' | b'?' | b'{' | b'}' | b']' => return Err(Reason::InvalidConstraint),
                byte => self.class(byte)?,
            }
        }
        Ok(self.group().whole())
    }

    fn open_group(&mut self) {
        let start = self.positions();
        self.compiler.groups.push(Group {
            before: Fragment::NEVER,
            sequence: Fragment::NOTHING,
            start,
        });
    }

    /// Parses `(`, `(?:` or `(?<name>`.
    fn group_prefix(&mut self) -> Result<(), Reason> {
        self.compiler.next += 1;
        if !self.take(b'?') || self.take(b':') {
            return Ok(());
        }
        if !self.take(b'<') || matches!(self.peek(0), b'=' | b'!') {
            return Err(Reason::NotRegular);
        }
        // The pattern parser gives brackets, parentheses and backslashes their meaning everywhere,
        // so a name that contained one would make it end the constraint elsewhere.
        let mut begun = false;
        loop {
            match self.peek(0) {
                b'>' if begun => break,
                b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'$' | 0x80..=0xfe => begun = true,
                b'0'..=b'9' if begun => {}
                _ => return Err(Reason::InvalidConstraint),
            }
            self.compiler.next += 1;
        }
        self.compiler.next += 1;
        Ok(())
    }

    /// Parses `^` or `$` at the edges of an alternative, where they are redundant: values are
    /// matched whole.
    fn anchor(&mut self, byte: u8) -> Result<(), Reason> {
        let beside = match byte {
            b'$' => self.peek(1),
            _ if self.compiler.next == self.compiler.begin => b'|',
            _ => byte,
        };
        if self.compiler.groups.len() != 1 || !matches!(beside, END | b'|') {
            return Err(Reason::NotRegular);
        }
        self.compiler.next += 1;
        Ok(())
    }

    /// Parses a character, an escape, `.` or `[…]`, and the quantifier after it.
    fn class(&mut self, byte: u8) -> Result<(), Reason> {
        let first_range = self.ranges.len() as u32;
        let mut negated = false;
        match byte {
            b'.' => {
                self.compiler.next += 1;
                negated = true;
                self.ranges.extend(LINE_ENDS);
            }
            b'[' => {
                self.compiler.next += 1;
                negated = self.take(b'^');
                while !self.take(b']') {
                    self.class_member(true)?;
                }
                if self.ranges.len() as u32 == first_range {
                    return Err(Reason::InvalidConstraint);
                }
            }
            _ => self.class_member(false)?,
        }
        let ranges = self.ranges.len() as u32 - first_range;
        let position = self.add_position(Class { first_range, ranges, negated })?;
        let set = 1 << position;
        self.repeated(Fragment { nullable: false, first: set, last: set }, position)
    }

    /// Parses a character, a class such as `\d`, or, in brackets, a range.
    fn class_member(&mut self, in_brackets: bool) -> Result<(), Reason> {
        let letter = self.peek(1);
        if self.peek(0) == b'\\'
            && let Some(ranges) = named_class(letter)
        {
            self.compiler.next += 2;
            self.add_ranges(ranges, letter.is_ascii_uppercase());
            return Ok(());
        }
        let low = self.character()?;
        let mut high = low;
        let is_range = in_brackets && self.peek(0) == b'-' && self.peek(1) != b']';
        if is_range {
            self.compiler.next += 1;
            high = self.character()?;
        }
        if high < low {
            return Err(Reason::InvalidConstraint);
        }
        self.ranges.push((low, high));
        Ok(())
    }

    /// Adds ranges of characters, or their complement.
    fn add_ranges(&mut self, ranges: &[(u32, u32)], negated: bool) {
        if !negated {
            self.ranges.extend(ranges);
            return;
        }
        let mut low = 0;
        for &(start, end) in ranges {
            self.ranges.push((low, start - 1));
            low = end + 1;
        }
        self.ranges.push((low, HIGHEST));
    }

    /// Parses a code point or an escape of one: `\n`, `\x41`, `\u0041`, `\u{41}`, or a backslash
    /// before punctuation.
    fn character(&mut self) -> Result<u32, Reason> {
        let escaped = self.take(b'\\');
        let (character, width) =
            utf8::next(&self.sources, self.compiler.next).ok_or(Reason::InvalidConstraint)?;
        self.compiler.next += width;
        let is_letter = character < 128 && (character as u8).is_ascii_alphanumeric();
        if !escaped || !is_letter {
            return Ok(character);
        }
        Ok(match character as u8 {
            b'0' => 0x00,
            b't' => 0x09,
            b'n' => 0x0a,
            b'v' => 0x0b,
            b'f' => 0x0c,
            b'r' => 0x0d,
            b'x' => return self.hexadecimal(2, 2),
            b'u' if self.take(b'{') => {
                let point = self.hexadecimal(1, 6);
                return if self.take(b'}') { point } else { Err(Reason::InvalidConstraint) };
            }
            b'u' => return self.hexadecimal(4, 4),
            _ => return Err(Reason::NotRegular),
        })
    }

    /// Parses `least` to `most` hexadecimal digits.
    fn hexadecimal(&mut self, least: usize, most: usize) -> Result<u32, Reason> {
        let mut value = 0;
        for count in 0..most {
            match char::from(self.peek(0)).to_digit(16) {
                Some(digit) => value = value << 4 | digit,
                None if count >= least => break,
                None => return Err(Reason::InvalidConstraint),
            }
            self.compiler.next += 1;
        }
        if value > HIGHEST { Err(Reason::InvalidConstraint) } else { Ok(value) }
    }

    /// Adds a position with a class and an empty follow set.
    fn add_position(&mut self, class: Class) -> Result<u32, Reason> {
        let position = self.positions();
        if position == MAX_POSITIONS {
            return Err(Reason::ConstraintTooLarge);
        }
        self.classes.push(class);
        self.follow.push(0);
        Ok(position)
    }

    /// Parses the quantifier after an atom, whose positions start at `start`, and appends the
    /// result.
    fn repeated(&mut self, atom: Fragment, start: u32) -> Result<(), Reason> {
        let (least, most) = match self.peek(0) {
            b'*' => (0, UNLIMITED),
            b'+' => (1, UNLIMITED),
            b'?' => (0, 1),
            b'{' => self.bounds()?,
            _ => {
                self.append(atom);
                return Ok(());
            }
        };
        self.compiler.next += 1;
        // A lazy quantifier accepts the same values.
        self.take(b'?');
        let end = self.positions();
        let copies = if most == UNLIMITED { least.max(1) } else { most };
        if copies == 0 {
            self.classes.truncate(self.compiler.base + start as usize);
            self.follow.truncate(self.compiler.base + start as usize);
        }
        for copy in 0..copies {
            let mut part = if copy == 0 { atom } else { self.copy(atom, start, end, copy)? };
            if most == UNLIMITED && copy + 1 == copies {
                self.link(part.last, part.first);
            }
            part.nullable |= copy >= least;
            self.append(part);
        }
        Ok(())
    }

    /// Parses `{m}`, `{m,}` or `{m,n}` up to the closing brace.
    fn bounds(&mut self) -> Result<(u32, u32), Reason> {
        self.compiler.next += 1;
        let least = self.number();
        let mut most = least;
        if self.take(b',') {
            most = if self.peek(0) == b'}' { UNLIMITED } else { self.number() };
        }
        if self.peek(0) != b'}' || least == UNLIMITED || most < least {
            return Err(Reason::InvalidConstraint);
        }
        if least > MAX_POSITIONS || (most > MAX_POSITIONS && most != UNLIMITED) {
            return Err(Reason::ConstraintTooLarge);
        }
        Ok((least, most))
    }

    /// Parses a number. Without digits, returns `UNLIMITED`.
    fn number(&mut self) -> u32 {
        let mut value = UNLIMITED;
        while let digit @ b'0'..=b'9' = self.peek(0) {
            let before = if value == UNLIMITED { 0 } else { value };
            // Capped against overflow; every number above the limit is rejected.
            value = (before * 10 + u32::from(digit - b'0')).min(2 * MAX_POSITIONS);
            self.compiler.next += 1;
        }
        value
    }

    /// Adds copy number `copy` of an atom with the positions `start..end`.
    fn copy(
        &mut self,
        atom: Fragment,
        start: u32,
        end: u32,
        copy: u32,
    ) -> Result<Fragment, Reason> {
        let shift = (end - start) * copy;
        if shift >= MAX_POSITIONS {
            return Err(Reason::ConstraintTooLarge);
        }
        // Links out of the atom are not copied: appending the copy adds them.
        let inside = !Set::MAX.checked_shl(end).unwrap_or(0);
        for position in start..end {
            let class = self.classes[self.compiler.base + position as usize];
            let follow = self.follow[self.compiler.base + position as usize];
            let new = self.add_position(class)?;
            self.follow[self.compiler.base + new as usize] = (follow & inside) << shift;
        }
        Ok(Fragment { first: atom.first << shift, last: atom.last << shift, ..atom })
    }

    /// Adds the positions `to` to the follow sets of the positions `from`.
    fn link(&mut self, from: Set, to: Set) {
        for position in members(from) {
            self.follow[self.compiler.base + position as usize] |= to;
        }
    }

    /// Appends a subexpression to the sequence of the innermost group.
    fn append(&mut self, part: Fragment) {
        let before = self.group().sequence;
        self.link(before.last, part.first);
        self.group().sequence = Fragment {
            nullable: before.nullable && part.nullable,
            first: before.first | if before.nullable { part.first } else { 0 },
            last: part.last | if part.nullable { before.last } else { 0 },
        };
    }
}

/// Marks the end of an expression: a byte that UTF-8 never contains.
const END: u8 = 0xff;

/// Upper bound of `*`, `+` and `{m,}`.
const UNLIMITED: u32 = u32::MAX;

/// Returns the ranges of `\d`, `\w` or `\s`, for the upper-case letters too.
fn named_class(letter: u8) -> Option<&'static [(u32, u32)]> {
    match letter.to_ascii_lowercase() {
        b'd' => Some(DIGIT),
        b'w' => Some(WORD),
        b's' => Some(SPACE),
        _ => None,
    }
}

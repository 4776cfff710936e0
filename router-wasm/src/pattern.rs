//! Parser of patterns.

use crate::block::BLOCK;
use crate::error::Reason;
use crate::list::{List, part};
use crate::path::hex_byte;
use crate::utf8;

/// Maximum number of optional segments of a pattern. Each doubles the number of its variants.
pub const MAX_OPTIONALS: u32 = 6;

/// A range of bytes in the source of a pattern or in a pool of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    pub fn of(self, bytes: &[u8]) -> &[u8] {
        part(bytes, self.start as usize, self.end as usize)
    }

    pub fn len(self) -> u32 {
        self.end - self.start
    }
}

/// Kind of a segment, in the order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    Static,
    Mixed,
    Constrained,
    Parameter,
    OptionalConstrained,
    Optional,
    Wildcard,
}

impl Segment {
    /// Returns whether the segment is empty, such as the one after the last slash of `/a/`.
    pub fn is_empty(&self) -> bool {
        self.kind == Kind::Static && self.lead.is_empty()
    }
}

impl Kind {
    pub fn is_optional(self) -> bool {
        matches!(self, Kind::OptionalConstrained | Kind::Optional)
    }
}

/// A segment: text, then parameters, each followed by text. Any text may be empty.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    pub kind: Kind,
    /// The text before the first parameter, or the whole segment if it is static.
    pub lead: Span,
    pub first_parameter: u32,
    pub parameters: u32,
}

/// A parameter of a segment.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name in the source. Empty for a wildcard without a name.
    pub name: Span,
    /// Its constraint in the source. Empty without a constraint.
    pub expression: Span,
    /// Index of its constraint in `Constraints`. Set by `insert`.
    pub constraint: u32,
    /// The text between this parameter and the next one or the end of the segment.
    pub after: Span,
    pub optional: bool,
}

/// A parsed pattern. The router reuses one for all routes, so that adding a route leaves no unused
/// memory.
pub struct Pattern {
    pub source: List<u8>,
    pub segments: List<Segment>,
    pub parameters: List<Parameter>,
    /// Decoded text, which `lead` and `after` refer to. Padded by a block after parsing.
    pub text: List<u8>,
    pub optionals: u32,
    /// Offset in the source of the next byte to read; after an error, the offset of the error.
    pub next: usize,
}

impl Pattern {
    pub const fn new() -> Self {
        Self {
            source: List::new(),
            segments: List::new(),
            parameters: List::new(),
            text: List::new(),
            optionals: 0,
            next: 0,
        }
    }

    /// Parses the source.
    pub fn parse(&mut self) -> Result<(), Reason> {
        self.segments.truncate(0);
        self.parameters.truncate(0);
        self.text.truncate(0);
        self.optionals = 0;
        self.next = 0;
        if *self.source != *b"*" {
            if self.peek(0) != b'/' {
                return Err(Reason::NoLeadingSlash);
            }
            self.next = 1;
        }
        loop {
            self.segment()?;
            if self.next == self.source.len() {
                break;
            }
            self.next += 1;
        }
        self.text.extend(&[0; BLOCK]);
        Ok(())
    }

    /// Returns the byte `ahead` of the next one, or `END` after the last.
    fn peek(&self, ahead: usize) -> u8 {
        let at = self.next + ahead;
        if at < self.source.len() { self.source[at] } else { END }
    }

    /// Parses a segment up to a slash or the end.
    fn segment(&mut self) -> Result<(), Reason> {
        let from = self.next;
        let first = self.parameters.len();
        if self.peek(0) == b'*' {
            return self.wildcard();
        }
        let mut lead = Span::default();
        loop {
            let text_start = self.text.len();
            self.read_text()?;
            let text = Span::new(text_start, self.text.len());
            if !utf8::is_valid(text.of(&self.text)) {
                return Err(Reason::MalformedEscape);
            }
            let is_parameter = self.peek(0) == b':';
            match self.parameters.get_mut(first..).and_then(|read| read.last_mut()) {
                None => lead = text,
                Some(_) if is_parameter && text.is_empty() => {
                    return Err(Reason::TouchingParameters);
                }
                Some(previous) => previous.after = text,
            }
            if !is_parameter {
                break;
            }
            self.parameter(self.next == from)?;
        }
        let count = self.parameters.len() - first;
        let kind = match self.parameters.last() {
            _ if count == 0 => Kind::Static,
            Some(only) if count == 1 && lead.is_empty() && only.after.is_empty() => {
                match (only.optional, only.expression.is_empty()) {
                    (false, true) => Kind::Parameter,
                    (false, false) => Kind::Constrained,
                    (true, true) => Kind::Optional,
                    (true, false) => Kind::OptionalConstrained,
                }
            }
            _ => Kind::Mixed,
        };
        self.add_segment(kind, lead, count);
        Ok(())
    }

    /// Adds a segment with the last `parameters` parameters.
    fn add_segment(&mut self, kind: Kind, lead: Span, parameters: usize) {
        let first_parameter = (self.parameters.len() - parameters) as u32;
        let parameters = parameters as u32;
        self.segments.push(Segment { kind, lead, first_parameter, parameters });
    }

    /// Parses text up to a slash, a colon or the end.
    fn read_text(&mut self) -> Result<(), Reason> {
        loop {
            let mut byte = self.peek(0);
            let mut width = 1;
            match byte {
                b'/' | b':' | END => return Ok(()),
                b'*' => return Err(Reason::WildcardNotWhole),
                b')' => return Err(Reason::UnbalancedParenthesis),
                b'?' | b'+' | b'(' | b'{' | b'}' => return Err(Reason::ReservedCharacter),
                b'\\' => {
                    byte = self.peek(1);
                    width = 2;
                    if matches!(byte, b'/' | END) || byte.is_ascii_alphanumeric() {
                        return Err(Reason::DanglingBackslash);
                    }
                }
                b'%' => {
                    byte = hex_byte(&self.source, self.next + 1).ok_or(Reason::MalformedEscape)?;
                    width = 3;
                }
                _ => {}
            }
            self.text.push(byte);
            self.next += width;
        }
    }

    /// Parses `:name` or `:name(constraint)`, and a `?` after it. `whole` is set if it starts the
    /// segment.
    fn parameter(&mut self, whole: bool) -> Result<(), Reason> {
        let name = self.name()?;
        if name.is_empty() {
            return Err(Reason::MissingName);
        }
        self.next = name.end as usize;
        let mut expression = Span::default();
        if self.peek(0) == b'(' {
            let length = self.length_of_group();
            if length == 0 {
                return Err(Reason::UnbalancedParenthesis);
            }
            if length == 2 {
                return Err(Reason::EmptyConstraint);
            }
            expression = Span::new(self.next + 1, self.next + length - 1);
            self.next += length;
        }
        let mut optional = false;
        match self.peek(0) {
            b'?' => {
                if !whole || !matches!(self.peek(1), END | b'/') {
                    return Err(Reason::OptionalNotWhole);
                }
                if self.optionals == MAX_OPTIONALS {
                    return Err(Reason::TooManyOptionals);
                }
                self.optionals += 1;
                optional = true;
                self.next += 1;
            }
            b'*' | b'+' => return Err(Reason::RepeatModifier),
            b'{' => return Err(Reason::BraceConstraint),
            _ => {}
        }
        self.add_parameter(name, expression, optional);
        Ok(())
    }

    fn add_parameter(&mut self, name: Span, expression: Span, optional: bool) {
        let after = Span::default();
        self.parameters.push(Parameter { name, expression, constraint: 0, after, optional });
    }

    /// Parses `*` or `*name`, which must end the pattern.
    fn wildcard(&mut self) -> Result<(), Reason> {
        let name = self.name()?;
        match self.peek(1 + name.len() as usize) {
            END => {}
            b'/' => return Err(Reason::WildcardNotLast),
            _ => return Err(Reason::WildcardNotWhole),
        }
        self.next = self.source.len();
        self.add_parameter(name, Span::default(), false);
        self.add_segment(Kind::Wildcard, Span::default(), 1);
        Ok(())
    }

    /// Returns the name after the next byte: `[A-Za-z_$][\w$]*`, or an empty span.
    fn name(&self) -> Result<Span, Reason> {
        let mut length = 0;
        loop {
            let byte = self.peek(1 + length);
            let letter = byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$';
            if !letter && (length == 0 || !byte.is_ascii_digit()) {
                break;
            }
            length += 1;
        }
        let name = Span::new(self.next + 1, self.next + 1 + length);
        let mut others = self.parameters.iter();
        if others.any(|other| other.name.of(&self.source) == name.of(&self.source)) {
            return Err(Reason::RepeatedName);
        }
        Ok(name)
    }

    /// Returns the length of the group that starts at the next byte, including its parentheses, or
    /// 0 if it is not closed. Skips escapes, classes and inner groups.
    fn length_of_group(&self) -> usize {
        let mut depth = 0;
        let mut in_class = false;
        let mut length = 0;
        loop {
            match self.peek(length) {
                END => return 0,
                b'\\' => length += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'(' if !in_class => depth += 1,
                b')' if !in_class => depth -= 1,
                _ => {}
            }
            length += 1;
            if depth == 0 {
                return length;
            }
        }
    }
}

/// Marks the end of a source: a byte that UTF-8 never contains.
const END: u8 = 0xff;

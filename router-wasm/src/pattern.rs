//! Reads a pattern into segments.

use alloc::vec::Vec;

use crate::error::{Reason, RouteError};
use crate::path::{MAX_PATH, hex_byte};

/// A pattern may have this many `:name?`, because each doubles the variants to insert.
pub const MAX_OPTIONALS: u32 = 6;

/// A range of bytes, in the pattern's source or in a pool of text.
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
        bytes.get(self.start as usize..self.end as usize).unwrap_or(&[])
    }
}

/// What a segment is, in the order in which the router tries what stands at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Static,
    Mixed,
    Constrained,
    Parameter,
    OptionalConstrained,
    Optional,
    Wildcard,
}

impl Kind {
    pub fn is_optional(self) -> bool {
        matches!(self, Kind::OptionalConstrained | Kind::Optional)
    }
}

/// One segment: text, then parameters that each may have text after them.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    pub kind: Kind,
    /// The text before the first parameter; the whole segment if it is static.
    pub lead: Span,
    pub first_parameter: u32,
    pub parameters: u32,
}

/// One parameter of a segment.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// In the source; empty for the wildcard without a name.
    pub name: Span,
    /// In the source; empty without a constraint.
    pub constraint: Span,
    /// The text between this parameter and the next, or the end of the segment.
    pub after: Span,
    pub optional: bool,
}

/// A parsed pattern. One is kept and filled anew for every route, so that registering leaves
/// nothing behind in memory.
#[derive(Default)]
pub struct Pattern {
    pub segments: Vec<Segment>,
    pub parameters: Vec<Parameter>,
    /// Decoded text; `lead` and `after` point here.
    pub text: Vec<u8>,
    pub optionals: u32,
}

impl Pattern {
    /// Reads `source`; with `ignore_trailing_slash`, `/a/` is read as `/a`.
    pub fn parse(&mut self, source: &[u8], ignore_trailing_slash: bool) -> Result<(), RouteError> {
        self.segments.clear();
        self.parameters.clear();
        self.text.clear();
        self.optionals = 0;
        if source.len() > MAX_PATH {
            return Err(RouteError::at(Reason::TooLong, MAX_PATH));
        }
        // No pattern has more segments, parameters or bytes than its source has characters.
        self.segments.try_reserve(source.iter().filter(|&&byte| byte == b'/').count() + 1)?;
        self.parameters.try_reserve(source.iter().filter(|&&byte| byte == b':').count() + 1)?;
        self.text.try_reserve(source.len())?;

        let mut at = match source {
            b"*" => 0,
            [b'/', ..] => 1,
            _ => return Err(RouteError::at(Reason::NoLeadingSlash, 0)),
        };
        loop {
            at = self.segment(source, at)?;
            if at == source.len() {
                break;
            }
            at += 1;
        }
        if ignore_trailing_slash {
            self.drop_trailing_slash();
        }
        Ok(())
    }

    fn is_empty_segment(&self, segment: &Segment) -> bool {
        segment.kind == Kind::Static && segment.lead.is_empty()
    }

    fn drop_trailing_slash(&mut self) {
        if let [.., before, last] = self.segments.as_slice()
            && self.is_empty_segment(last)
            && !self.is_empty_segment(before)
        {
            self.segments.pop();
        }
    }

    /// Reads one segment and returns where it ends: at a slash or at the end.
    fn segment(&mut self, source: &[u8], from: usize) -> Result<usize, RouteError> {
        if source.get(from) == Some(&b'*') {
            return self.wildcard(source, from);
        }
        let first_parameter = self.parameters.len();
        let mut text_start = self.text.len();
        let mut lead = Span::default();
        let mut at = from;
        while let Some(&byte) = source.get(at) {
            match byte {
                b'/' => break,
                b':' => {
                    let text = self.finish_text(text_start, at)?;
                    match self.parameters.get_mut(first_parameter..) {
                        Some([.., previous]) => {
                            if text.is_empty() {
                                return Err(RouteError::at(Reason::TouchingParameters, at));
                            }
                            previous.after = text;
                        }
                        _ => lead = text,
                    }
                    let whole = text.is_empty() && at == from;
                    at = self.parameter(source, at, whole)?;
                    text_start = self.text.len();
                }
                _ => at = self.literal(source, at)?,
            }
        }
        let text = self.finish_text(text_start, at)?;
        let kind = match self.parameters.get_mut(first_parameter..) {
            Some([only]) if lead.is_empty() && text.is_empty() => {
                match (only.optional, only.constraint.is_empty()) {
                    (false, true) => Kind::Parameter,
                    (false, false) => Kind::Constrained,
                    (true, true) => Kind::Optional,
                    (true, false) => Kind::OptionalConstrained,
                }
            }
            Some([.., last]) => {
                last.after = text;
                Kind::Mixed
            }
            _ => {
                lead = text;
                Kind::Static
            }
        };
        self.segments.push(Segment {
            kind,
            lead,
            first_parameter: first_parameter as u32,
            parameters: (self.parameters.len() - first_parameter) as u32,
        });
        Ok(at)
    }

    fn finish_text(&self, start: usize, at: usize) -> Result<Span, RouteError> {
        let text = Span::new(start, self.text.len());
        match core::str::from_utf8(text.of(&self.text)) {
            Ok(_) => Ok(text),
            Err(_) => Err(RouteError::at(Reason::MalformedEscape, at)),
        }
    }

    /// Reads one character of text, which may be escaped, and returns what follows.
    fn literal(&mut self, source: &[u8], at: usize) -> Result<usize, RouteError> {
        let (byte, width) = match source[at] {
            b'*' => return Err(RouteError::at(Reason::WildcardNotWhole, at)),
            b')' => return Err(RouteError::at(Reason::UnbalancedParenthesis, at)),
            b'?' | b'+' | b'(' | b'{' | b'}' => {
                return Err(RouteError::at(Reason::ReservedCharacter, at));
            }
            b'\\' => match source.get(at + 1) {
                None | Some(b'/') => return Err(RouteError::at(Reason::DanglingBackslash, at)),
                Some(&escaped) => (escaped, 2),
            },
            b'%' => match hex_byte(source, at + 1) {
                Some(byte) => (byte, 3),
                None => return Err(RouteError::at(Reason::MalformedEscape, at)),
            },
            byte => (byte, 1),
        };
        self.text.push(byte);
        Ok(at + width)
    }

    /// Reads `:name`, `:name(constraint)` and a `?` after either; `whole`: nothing is before it.
    fn parameter(&mut self, source: &[u8], at: usize, whole: bool) -> Result<usize, RouteError> {
        let name = Span::new(at + 1, name_end(source, at + 1));
        if name.is_empty() {
            return Err(RouteError::at(Reason::MissingName, at));
        }
        if self.parameters.iter().any(|other| other.name.of(source) == name.of(source)) {
            return Err(RouteError::at(Reason::RepeatedName, at));
        }
        let mut next = name.end as usize;
        let mut constraint = Span::default();
        if source.get(next) == Some(&b'(') {
            let close = closing_parenthesis(source, next)
                .ok_or(RouteError::at(Reason::UnbalancedParenthesis, next))?;
            constraint = Span::new(next + 1, close);
            if constraint.is_empty() {
                return Err(RouteError::at(Reason::EmptyConstraint, next));
            }
            next = close + 1;
        }
        let mut optional = false;
        match source.get(next) {
            Some(b'?') => {
                if !whole || !matches!(source.get(next + 1), None | Some(b'/')) {
                    return Err(RouteError::at(Reason::OptionalNotWhole, next));
                }
                if self.optionals == MAX_OPTIONALS {
                    return Err(RouteError::at(Reason::TooManyOptionals, next));
                }
                self.optionals += 1;
                optional = true;
                next += 1;
            }
            Some(b'*' | b'+') => return Err(RouteError::at(Reason::RepeatModifier, next)),
            Some(b'{') => return Err(RouteError::at(Reason::BraceConstraint, next)),
            _ => {}
        }
        self.parameters.push(Parameter { name, constraint, after: Span::default(), optional });
        Ok(next)
    }

    /// Reads `*` or `*name`, which must be all that is left.
    fn wildcard(&mut self, source: &[u8], at: usize) -> Result<usize, RouteError> {
        let name = Span::new(at + 1, name_end(source, at + 1));
        match source.get(name.end as usize) {
            None => {}
            Some(b'/') => return Err(RouteError::at(Reason::WildcardNotLast, at)),
            Some(_) => return Err(RouteError::at(Reason::WildcardNotWhole, at)),
        }
        if self.parameters.iter().any(|other| other.name.of(source) == name.of(source)) {
            return Err(RouteError::at(Reason::RepeatedName, at));
        }
        self.segments.push(Segment {
            kind: Kind::Wildcard,
            lead: Span::default(),
            first_parameter: self.parameters.len() as u32,
            parameters: 1,
        });
        self.parameters.push(Parameter {
            name,
            constraint: Span::default(),
            after: Span::default(),
            optional: false,
        });
        Ok(source.len())
    }
}

/// Where the name that begins at `start` ends: `[A-Za-z_$][\w$]*`.
fn name_end(source: &[u8], start: usize) -> usize {
    let mut end = start;
    while let Some(&byte) = source.get(end) {
        let letter = byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$';
        if !letter && (end == start || !byte.is_ascii_digit()) {
            break;
        }
        end += 1;
    }
    end
}

/// The parenthesis that closes the one at `open`, past escapes, classes and inner groups.
fn closing_parenthesis(source: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0;
    let mut in_class = false;
    let mut at = open;
    while let Some(&byte) = source.get(at) {
        match byte {
            b'\\' => at += 1,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'(' if !in_class => depth += 1,
            b')' if !in_class => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

//! Generator of constraints, and a direct implementation of their definition.

use super::program::Choices;

pub enum Expression {
    Character(Accepts),
    Sequence(Vec<Expression>),
    Alternatives(Vec<Expression>),
    Repeat { of: Box<Expression>, least: usize, most: Option<usize> },
}

type Accepts = fn(char) -> bool;

/// Source of character classes, and the characters that each accepts.
const CLASSES: [(&str, Accepts); 20] = [
    ("a", |one| one == 'a'),
    ("b", |one| one == 'b'),
    ("é", |one| one == 'é'),
    (r"\-", |one| one == '-'),
    (r"\x61", |one| one == 'a'),
    (r"\u0062", |one| one == 'b'),
    (r"\u{1F34C}", |one| one == '🍌'),
    (r"\n", |one| one == '\n'),
    (".", |one| !['\n', '\r', '\u{2028}', '\u{2029}'].contains(&one)),
    (r"\d", |one| one.is_ascii_digit()),
    (r"\D", |one| !one.is_ascii_digit()),
    (r"\w", is_word),
    (r"\W", |one| !is_word(one)),
    (r"\s", is_space),
    (r"\S", |one| !is_space(one)),
    ("[ab]", |one| one == 'a' || one == 'b'),
    ("[^a]", |one| one != 'a'),
    (r"[a-c\d-]", |one| ('a'..='c').contains(&one) || one.is_ascii_digit() || one == '-'),
    (r"[^\]é-🍌]", |one| one != ']' && !('é'..='🍌').contains(&one)),
    ("[)(]", |one| one == ')' || one == '('),
];

/// Characters that values consist of.
const CHARACTERS: [char; 16] =
    ['a', 'b', 'c', '1', '_', '-', ']', '(', ')', 'é', 'è', '🍌', '\n', '\u{2028}', '\u{a0}', 'Z'];

const REPEATS: [(&str, usize, Option<usize>); 10] = [
    ("?", 0, Some(1)),
    ("*", 0, None),
    ("+", 1, None),
    ("*?", 0, None),
    ("{2}", 2, Some(2)),
    ("{0}", 0, Some(0)),
    ("{1,3}", 1, Some(3)),
    ("{2,}", 2, None),
    ("{0,2}?", 0, Some(2)),
    ("{12,13}", 12, Some(13)),
];

fn is_word(one: char) -> bool {
    one.is_ascii_alphanumeric() || one == '_'
}

/// JavaScript and Unicode define white space alike, except for two characters.
fn is_space(one: char) -> bool {
    (one.is_whitespace() && one != '\u{85}') || one == '\u{feff}'
}

/// Generates an expression, and returns its source too. Alternatives of the outermost one may be
/// anchored.
pub fn expression(choices: &mut Choices, depth: u8) -> (String, Expression) {
    let count = 1 + usize::from(choices.next(4) == 0) + usize::from(choices.next(8) == 0);
    let mut written = Vec::new();
    let mut alternatives = Vec::new();
    for _ in 0..count {
        let (text, sequence) = sequence(choices, depth);
        let anchored = depth == MAX_DEPTH && choices.next(8) == 0;
        written.push(if anchored { format!("^{text}$") } else { text });
        alternatives.push(sequence);
    }
    (written.join("|"), Expression::Alternatives(alternatives))
}

/// Maximum depth of nested groups.
pub const MAX_DEPTH: u8 = 3;

fn sequence(choices: &mut Choices, depth: u8) -> (String, Expression) {
    let mut written = String::new();
    let mut parts = Vec::new();
    for _ in 0..=choices.next(3) {
        let (text, mut part) = if depth > 0 && choices.next(4) == 0 {
            let (text, inner) = expression(choices, depth - 1);
            (format!("({}{text})", choices.of(&["", "?:", "?<n>"])), inner)
        } else {
            let (text, accepts) = choices.of(&CLASSES);
            (text.to_string(), Expression::Character(accepts))
        };
        written.push_str(&text);
        if choices.next(3) == 0 {
            let (text, least, most) = choices.of(&REPEATS);
            written.push_str(text);
            part = Expression::Repeat { of: Box::new(part), least, most };
        }
        parts.push(part);
    }
    (written, Expression::Sequence(parts))
}

/// Generates a value that is not empty.
pub fn value(choices: &mut Choices) -> String {
    (0..=choices.next(6)).map(|_| choices.of(&CHARACTERS)).collect()
}

impl Expression {
    /// Returns whether the expression matches the whole value, of at most 31 characters.
    pub fn accepts(&self, value: &str) -> bool {
        let value: Vec<char> = value.chars().collect();
        self.ends(&value, 1) >> value.len() & 1 == 1
    }

    /// Returns the offsets at which matches may end that start at the offsets `starts`. Bit n
    /// stands for the offset before character n.
    fn ends(&self, value: &[char], starts: u32) -> u32 {
        match self {
            Expression::Character(accepts) => {
                value.iter().enumerate().fold(0, |ends, (at, one)| {
                    let begins = starts >> at & 1 == 1;
                    ends | u32::from(begins && accepts(*one)) << (at + 1)
                })
            }
            Expression::Sequence(parts) => {
                parts.iter().fold(starts, |starts, part| part.ends(value, starts))
            }
            Expression::Alternatives(parts) => {
                parts.iter().fold(0, |ends, part| ends | part.ends(value, starts))
            }
            Expression::Repeat { of, least, most } => {
                let mut reached = starts;
                let mut ends = 0;
                for round in 0..=most.unwrap_or(usize::MAX - 1) {
                    let next = of.ends(value, reached);
                    // Once a round changes nothing, further rounds do not either.
                    let is_last = reached == next;
                    if round >= *least || is_last {
                        ends |= reached;
                    }
                    if is_last {
                        break;
                    }
                    reached = next;
                }
                ends
            }
        }
    }

    /// Returns the number of classes after repetitions have been expanded, where `{0}` counts as
    /// `{1}`.
    pub fn size(&self) -> usize {
        match self {
            Expression::Character(_) => 1,
            Expression::Sequence(parts) | Expression::Alternatives(parts) => {
                parts.iter().map(Expression::size).sum()
            }
            Expression::Repeat { of, least, most } => of.size() * most.unwrap_or(*least).max(1),
        }
    }
}

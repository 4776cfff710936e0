//! Constraints: an expression made of choices, and what it accepts by its definition.

use std::collections::BTreeSet;

use super::program::Choices;

pub enum Expression {
    Character(fn(char) -> bool),
    Sequence(Vec<Expression>),
    Alternatives(Vec<Expression>),
    Repeat { of: Box<Expression>, least: usize, most: Option<usize> },
}

/// Classes of characters as they are written.
const CLASSES: [(&str, fn(char) -> bool); 20] = [
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

/// Characters of values.
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

/// What JavaScript calls white space is what Unicode does, but for two characters.
fn is_space(one: char) -> bool {
    (one.is_whitespace() && one != '\u{85}') || one == '\u{feff}'
}

/// An expression and the way it is written; the first has alternatives that may be anchored.
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

/// How deep groups are nested.
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

/// A value, which is not empty.
pub fn value(choices: &mut Choices) -> String {
    (0..=choices.next(6)).map(|_| choices.of(&CHARACTERS)).collect()
}

impl Expression {
    /// Whether it describes the whole value.
    pub fn accepts(&self, value: &str) -> bool {
        let value: Vec<char> = value.chars().collect();
        self.ends(&value, 0).contains(&value.len())
    }

    /// Where a match that begins at `start` may end.
    fn ends(&self, value: &[char], start: usize) -> BTreeSet<usize> {
        match self {
            Expression::Character(accepts) => {
                let accepted = value.get(start).is_some_and(|&one| accepts(one));
                accepted.then_some(start + 1).into_iter().collect()
            }
            Expression::Sequence(parts) => parts.iter().fold([start].into(), |starts, part| {
                starts.iter().flat_map(|&start| part.ends(value, start)).collect()
            }),
            Expression::Alternatives(parts) => {
                parts.iter().flat_map(|part| part.ends(value, start)).collect()
            }
            Expression::Repeat { of, least, most } => {
                let mut ends = BTreeSet::new();
                let mut reached: BTreeSet<usize> = [start].into();
                for round in 0..=most.unwrap_or(usize::MAX - 1) {
                    let next = reached.iter().flat_map(|&start| of.ends(value, start)).collect();
                    // Once a round changes nothing, none does, whatever their number.
                    let is_last = reached == next;
                    if round >= *least || is_last {
                        ends.extend(&reached);
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

    /// How many classes it has once repeats are written out, where `{0}` counts as `{1}`.
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

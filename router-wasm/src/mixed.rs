//! Mixed segments, `text:name.text`: text and parameters in one segment.
//!
//! A mixed segment means what the regular expression `^lead(p)after(p)after…$` means whose groups
//! are greedy from the left and never empty. Without constraints that is: the last occurrence of
//! each text splits. Every way below is linear in the length of the segment.

use crate::constraint::Constraints;
use crate::path::MAX_PATH;
use crate::pattern::Span;

/// One parameter of a mixed or constrained segment, as the trie keeps it.
#[derive(Clone, Copy)]
pub struct Piece {
    /// In `Constraints`; `NO_CONSTRAINT` if any text will do.
    pub constraint: u32,
    /// The text behind the parameter, in the trie's text.
    pub after: Span,
}

pub const NO_CONSTRAINT: u32 = u32::MAX;

/// Words that `split` needs for each parameter of a segment with several, of which one has a
/// constraint: one bit per offset at which a value may end.
pub const END_WORDS: usize = MAX_PATH / 64 + 1;

/// Finds the values of a segment's parameters and tells `found` their offsets, in any order.
/// Returns whether the segment has the shape at all.
pub fn split(
    segment: &[u8],
    lead: &[u8],
    pieces: &[Piece],
    text: &[u8],
    constraints: &Constraints,
    ends: &mut [u64],
    mut found: impl FnMut(usize, Span),
) -> bool {
    if !segment.starts_with(lead) {
        return false;
    }
    match pieces {
        [only] => {
            let Some(end) = segment.len().checked_sub(only.after.of(text).len()) else {
                return false;
            };
            let matches = end > lead.len()
                && segment.ends_with(only.after.of(text))
                && (only.constraint == NO_CONSTRAINT
                    || constraints.accepts(only.constraint, &segment[lead.len()..end]));
            if matches {
                found(0, Span::new(lead.len(), end));
            }
            matches
        }
        _ if pieces.iter().all(|piece| piece.constraint == NO_CONSTRAINT) => {
            split_at_last_texts(segment, lead.len(), pieces, text, found)
        }
        _ => split_where_possible(segment, lead.len(), pieces, text, constraints, ends, found),
    }
}

/// Takes, from the right, the last occurrence of each text that leaves a value behind it.
fn split_at_last_texts(
    segment: &[u8],
    from: usize,
    pieces: &[Piece],
    text: &[u8],
    mut found: impl FnMut(usize, Span),
) -> bool {
    // `limit` is where the text of the piece at hand may end at most.
    let mut limit = segment.len();
    let mut next_start = segment.len() + 1;
    for (index, piece) in pieces.iter().enumerate().rev() {
        let after = piece.after.of(text);
        let is_last = index + 1 == pieces.len();
        let end = if is_last {
            segment.ends_with(after).then(|| limit - after.len())
        } else {
            (from + 1..(limit + 1).saturating_sub(after.len()))
                .rev()
                .find(|&at| segment[at..].starts_with(after))
        };
        let Some(end) = end else { return false };
        if !is_last {
            found(index + 1, Span::new(end + after.len(), next_start));
        }
        if end <= from {
            return false;
        }
        next_start = end;
        limit = end - 1;
    }
    found(0, Span::new(from, next_start));
    true
}

/// Finds, from the right, every offset at which each value may end; then takes, from the left, the
/// last that its constraint allows.
fn split_where_possible(
    segment: &[u8],
    from: usize,
    pieces: &[Piece],
    text: &[u8],
    constraints: &Constraints,
    ends: &mut [u64],
    mut found: impl FnMut(usize, Span),
) -> bool {
    let words = segment.len() / 64 + 1;
    let Some(ends) = ends.get_mut(..pieces.len() * words) else { return false };
    ends.fill(0);
    let Some((last, _)) = pieces.split_last() else { return false };
    if !segment.ends_with(last.after.of(text)) {
        return false;
    }
    set(&mut ends[(pieces.len() - 1) * words..], segment.len() - last.after.of(text).len());

    let mut possible = false;
    for index in (0..pieces.len()).rev() {
        let (before, here) = ends.split_at_mut(index * words);
        let here = &here[..words];
        let text_before = if index > 0 { pieces[index - 1].after.of(text) } else { &[] };
        let begins = |start: usize| {
            if index == 0 {
                possible |= start == from;
            } else if let Some(end) = start.checked_sub(text_before.len())
                && segment[end..start] == *text_before
            {
                set(&mut before[(index - 1) * words..], end);
            }
        };
        begin_of_values(pieces[index].constraint, segment, from, here, constraints, begins);
    }
    if !possible {
        return false;
    }
    let mut start = from;
    for (index, piece) in pieces.iter().enumerate() {
        let here = &ends[index * words..][..words];
        let end = last_end(piece.constraint, segment, start, here, constraints);
        found(index, Span::new(start, end));
        start = end + piece.after.of(text).len();
    }
    true
}

/// Tells `begins` every offset from `from` on at which a value begins that may end at one of `ends`.
fn begin_of_values(
    constraint: u32,
    segment: &[u8],
    from: usize,
    ends: &[u64],
    constraints: &Constraints,
    mut begins: impl FnMut(usize),
) {
    let Some(last) = (from + 1..=segment.len()).rev().find(|&end| get(ends, end)) else { return };
    if constraint == NO_CONSTRAINT {
        (from..last).for_each(begins);
    } else {
        let may_end = |end| get(ends, end);
        constraints.backward(constraint, segment, (from, last), may_end, &mut begins);
    }
}

/// The last of `ends` at which a value that begins at `start` may end. There is one.
fn last_end(
    constraint: u32,
    segment: &[u8],
    start: usize,
    ends: &[u64],
    constraints: &Constraints,
) -> usize {
    let mut last = start;
    if constraint == NO_CONSTRAINT {
        last = (start..=segment.len()).rev().find(|&end| get(ends, end)).unwrap_or(start);
    } else {
        constraints.forward(constraint, segment, start, |end| {
            if get(ends, end) {
                last = end;
            }
        });
    }
    last
}

fn set(bits: &mut [u64], at: usize) {
    bits[at / 64] |= 1 << (at % 64);
}

fn get(bits: &[u64], at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 == 1
}

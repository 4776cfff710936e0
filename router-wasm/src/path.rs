//! The path of a request: where its segments are, and what they say once decoded.

use crate::block::{BLOCK, marks};
use crate::list::{List, part};
use crate::utf8;

/// The longest path that is matched, in bytes; a longer one is answered with 414.
pub const MAX_PATH: usize = 16 * 1024;

/// The longest text the buffer takes: a path, and before it the origin of a URL.
pub const MAX_TEXT: usize = MAX_PATH + 1024;

/// Marks a segment whose escapes are malformed or no UTF-8.
pub const UNDECODABLE: u32 = u32::MAX;

/// The path being matched. Its buffers are made once.
pub struct Path {
    /// As the caller wrote it, perhaps with an origin before and a query behind it.
    raw: List<u8>,
    /// The decoded segments, each at the place of its raw form; filled only if a `%` occurs.
    decoded: List<u8>,
    /// Length of every decoded segment; filled likewise.
    decoded_lengths: List<u32>,
    /// Where every segment begins, and one past the slash that would end the last one.
    starts: List<u32>,
    /// How many segments there are, counted no further than two more than the deepest route has:
    /// also without a trailing slash such a path is too deep for all but a wildcard.
    segments: usize,
    /// Where the path ends in `raw`.
    end: usize,
    escaped: bool,
}

impl Path {
    pub const fn new() -> Self {
        Self {
            raw: List::new(),
            decoded: List::new(),
            decoded_lengths: List::new(),
            starts: List::new(),
            segments: 0,
            end: 0,
            escaped: false,
        }
    }

    /// Makes the buffers, with room for paths that are two segments deeper than the deepest route.
    pub fn prepare(&mut self, depth: usize) {
        self.raw.fill_up(MAX_TEXT + BLOCK);
        self.decoded.fill_up(MAX_TEXT + BLOCK);
        self.starts.fill_up(depth + 4);
        self.decoded_lengths.fill_up(depth + 4);
    }

    /// Where the caller writes the path.
    pub fn buffer(&mut self) -> &mut [u8] {
        &mut self.raw
    }

    /// Finds the segments of the path that begins with the first slash in `from..to` and ends
    /// before the first `?` or `#` there. Returns whether there is a path.
    pub fn scan(&mut self, from: usize, to: usize, ignore_trailing_slash: bool) -> bool {
        let limit = self.starts.len() - 2;
        let mut segments = 0;
        let mut escapes = 0;
        let mut end = to;
        let mut at = from;
        while at < end {
            let found = marks(&self.raw, at);
            let left = end - at;
            let mut inside = if left < BLOCK { (1 << left) - 1 } else { 0xffff };
            let stops = found.stops & inside;
            if stops != 0 {
                inside = (stops & stops.wrapping_neg()) - 1;
                end = at + stops.trailing_zeros() as usize;
            }
            escapes |= found.escapes & inside;
            let mut slashes = found.slashes & inside;
            while slashes != 0 {
                self.starts[segments] = at as u32 + slashes.trailing_zeros() + 1;
                segments += usize::from(segments < limit);
                slashes &= slashes - 1;
            }
            at += BLOCK;
        }
        if segments == 0 {
            return false;
        }
        if ignore_trailing_slash && self.ends_with_empty_segment(end) {
            end -= 1;
            segments -= 1;
        }
        self.starts[segments] = end as u32 + 1;
        self.segments = segments;
        self.end = end;
        self.escaped = escapes != 0;
        if self.escaped {
            self.decode();
        }
        true
    }

    /// Whether the path ends with a slash behind a segment that is not empty.
    fn ends_with_empty_segment(&self, end: usize) -> bool {
        end >= self.start() + 3 && self.raw[end - 1] == b'/' && self.raw[end - 2] != b'/'
    }

    /// Where the first slash is.
    pub fn start(&self) -> usize {
        self.start_of(0) - 1
    }

    pub fn end(&self) -> usize {
        self.end
    }

    pub fn segments(&self) -> usize {
        self.segments
    }

    pub fn is_escaped(&self) -> bool {
        self.escaped
    }

    #[inline(always)]
    pub fn start_of(&self, segment: usize) -> usize {
        self.starts[segment] as usize
    }

    #[inline(always)]
    pub fn end_of(&self, segment: usize) -> usize {
        self.starts[segment + 1] as usize - 1
    }

    /// The length of a segment's text as static text is compared: decoded. It begins at the
    /// segment's start in `text_buffer`. `UNDECODABLE` if it cannot be decoded.
    #[inline(always)]
    pub fn text_length(&self, segment: usize) -> u32 {
        if self.escaped {
            self.decoded_lengths[segment]
        } else {
            self.starts[segment + 1] - self.starts[segment] - 1
        }
    }

    /// The buffer that `text_length` speaks of, which is padded by a block.
    #[inline(always)]
    pub fn text_buffer(&self) -> &[u8] {
        if self.escaped { &self.decoded } else { &self.raw }
    }

    /// Where the byte `offset` of the decoded text of a segment stands in the raw path.
    pub fn raw_offset(&self, segment: usize, offset: usize) -> usize {
        let mut raw = self.start_of(segment);
        if !self.escaped {
            return raw + offset;
        }
        for _ in 0..offset {
            raw += if self.raw[raw] == b'%' { 3 } else { 1 };
        }
        raw
    }

    fn decode(&mut self) {
        for segment in 0..self.segments {
            let length = self.decode_part(self.start_of(segment), self.end_of(segment));
            self.decoded_lengths[segment] = length;
        }
    }

    /// Decodes `start..end` to the same place in the other buffer; its length there, which is less
    /// if there are escapes, or `UNDECODABLE`.
    pub fn decode_part(&mut self, start: usize, end: usize) -> u32 {
        let mut length = 0;
        let mut at = start;
        while at < end {
            let byte = self.raw[at];
            self.decoded[start + length] = if byte != b'%' {
                byte
            } else {
                let Some(byte) = hex_byte(part(&self.raw, 0, end), at + 1) else {
                    return UNDECODABLE;
                };
                at += 2;
                byte
            };
            length += 1;
            at += 1;
        }
        let decoded = part(&self.decoded, start, start + length);
        if utf8::is_valid(decoded) { length as u32 } else { UNDECODABLE }
    }
}

/// The byte that two hexadecimal digits at `at` write.
pub fn hex_byte(text: &[u8], at: usize) -> Option<u8> {
    let mut value = 0;
    for index in at..at + 2 {
        value = value << 4 | char::from(*text.get(index)?).to_digit(16)? as u8;
    }
    Some(value)
}

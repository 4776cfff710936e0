//! The path of a request: its segments, raw and decoded.

use crate::block::{BLOCK, marks};
use crate::list::{List, part};
use crate::utf8;

/// Maximum length of a path in bytes. A longer path results in 414.
pub const MAX_PATH: usize = 16 * 1024;

/// Size of the buffer in bytes: a path, and the origin of a URL before it.
pub const MAX_TEXT: usize = MAX_PATH + 1024;

/// Length of a segment whose escapes are malformed or not valid UTF-8.
pub const UNDECODABLE: u32 = u32::MAX;

/// The path being matched, and its buffers.
pub struct Path {
    /// The input of the caller: the path, possibly with an origin before it and a query after it.
    raw: List<u8>,
    /// The decoded segments, each at the offset of its raw form. Written only if the path has
    /// escapes.
    decoded: List<u8>,
    /// Length of each decoded segment. Written only if the path has escapes.
    decoded_lengths: List<u32>,
    /// Start of each segment, then the end of the last segment plus 1.
    starts: List<u32>,
    /// Number of segments, counted up to two more than the deepest route has. Such a path matches
    /// only wildcards, even without its trailing slash.
    segments: usize,
    /// End of the path in `raw`.
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

    /// Allocates the buffers, for paths two segments deeper than the deepest route.
    pub fn prepare(&mut self, depth: usize) {
        self.raw.fill_up(MAX_TEXT + BLOCK);
        self.decoded.fill_up(MAX_TEXT + BLOCK);
        self.starts.fill_up(depth + 4);
        self.decoded_lengths.fill_up(depth + 4);
    }

    /// Returns the buffer that the caller writes to.
    pub fn buffer(&mut self) -> &mut [u8] {
        &mut self.raw
    }

    /// Finds the segments of the path in `from..to`, which starts at the first slash and ends
    /// before the first `?` or `#`. Returns whether there is a path.
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

    /// Returns whether the path ends with a slash after a segment that is not empty.
    fn ends_with_empty_segment(&self, end: usize) -> bool {
        end >= self.start() + 3 && self.raw[end - 1] == b'/' && self.raw[end - 2] != b'/'
    }

    /// Returns the offset of the first slash.
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

    /// Returns the length of a decoded segment, or `UNDECODABLE`. The segment starts at `start_of`
    /// in `text_buffer`.
    #[inline(always)]
    pub fn text_length(&self, segment: usize) -> u32 {
        if self.escaped {
            self.decoded_lengths[segment]
        } else {
            self.starts[segment + 1] - self.starts[segment] - 1
        }
    }

    /// Returns the buffer with the decoded segments, which is padded by a block.
    #[inline(always)]
    pub fn text_buffer(&self) -> &[u8] {
        if self.escaped { &self.decoded } else { &self.raw }
    }

    /// Returns the position in the raw path of the byte at `offset` of a decoded segment.
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

    /// Decodes `start..end` to the same offset of the other buffer. Returns the decoded length,
    /// which is smaller if there are escapes, or `UNDECODABLE`.
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

/// Returns the byte that two hexadecimal digits at an offset encode.
pub fn hex_byte(text: &[u8], at: usize) -> Option<u8> {
    let mut value = 0;
    for index in at..at + 2 {
        value = value << 4 | char::from(*text.get(index)?).to_digit(16)? as u8;
    }
    Some(value)
}

//! The path of a request: where its segments are, and what they say once decoded.

use alloc::vec;
use alloc::vec::Vec;

/// The longest path that is matched, in bytes; a longer one is answered with 414.
pub const MAX_PATH: usize = 16 * 1024;

/// Bytes behind the longest path, so that whole words can be read at its end.
const PADDING: usize = 32;

/// Marks a segment whose escapes are malformed or no UTF-8.
const UNDECODABLE: u16 = u16::MAX;

/// The path being matched. Its buffers are made once.
pub struct Path {
    /// As the caller wrote it; `/` first.
    raw: Vec<u8>,
    /// The decoded segments, each at the place of its raw form; filled only if a `%` occurs.
    decoded: Vec<u8>,
    /// Length of every decoded segment; filled likewise.
    decoded_lengths: Vec<u16>,
    /// Where every segment begins, and one past the slash that would end the last one.
    starts: Vec<u16>,
    /// How many segments there are, counted no further than two more than the deepest route has:
    /// also without a trailing slash such a path is too deep for all but a wildcard.
    segments: usize,
    /// Where the path ends in `raw`.
    end: usize,
    escaped: bool,
}

impl Path {
    pub fn new() -> Self {
        Self {
            raw: vec![0; MAX_PATH + PADDING],
            decoded: vec![0; MAX_PATH + PADDING],
            decoded_lengths: Vec::new(),
            starts: Vec::new(),
            segments: 0,
            end: 0,
            escaped: false,
        }
    }

    /// Makes room for paths that are two segments deeper than the deepest route.
    pub fn reserve(&mut self, depth: usize) -> Result<(), alloc::collections::TryReserveError> {
        for list in [&mut self.starts, &mut self.decoded_lengths] {
            let missing = (depth + 4).saturating_sub(list.len());
            list.try_reserve(missing)?;
            list.resize(list.len() + missing, 0);
        }
        Ok(())
    }

    /// Where the caller writes the path.
    pub fn buffer(&mut self) -> &mut [u8] {
        &mut self.raw
    }

    /// Lends the buffer out, so that a pattern can be read from it while the router changes.
    pub fn take_buffer(&mut self) -> Vec<u8> {
        core::mem::take(&mut self.raw)
    }

    pub fn put_buffer(&mut self, buffer: Vec<u8>) {
        self.raw = buffer;
    }

    /// Finds the segments of the first `length` bytes in the buffer, up to a `?` or `#`.
    pub fn scan(&mut self, length: usize, ignore_trailing_slash: bool) {
        self.segments = 0;
        self.escaped = false;
        self.end = length;
        let limit = self.starts.len() - 2;
        for at in 0..length {
            match self.raw[at] {
                b'/' => {
                    self.starts[self.segments] = at as u16 + 1;
                    self.segments += usize::from(self.segments < limit);
                }
                b'%' => self.escaped = true,
                b'?' | b'#' => {
                    self.end = at;
                    break;
                }
                _ => {}
            }
        }
        if ignore_trailing_slash
            && self.end > 2
            && self.raw[self.end - 1] == b'/'
            && self.raw[self.end - 2] != b'/'
        {
            self.end -= 1;
            self.segments -= 1;
        }
        self.starts[self.segments] = self.end as u16 + 1;
        if self.escaped {
            self.decode();
        }
    }

    /// Whether the buffer holds a path at all.
    pub fn is_rooted(&self) -> bool {
        self.end > 0 && self.raw[0] == b'/'
    }

    pub fn segments(&self) -> usize {
        self.segments
    }

    pub fn end(&self) -> usize {
        self.end
    }

    pub fn start_of(&self, segment: usize) -> usize {
        self.starts[segment] as usize
    }

    pub fn end_of(&self, segment: usize) -> usize {
        self.starts[segment + 1] as usize - 1
    }

    /// The text of a segment as static text is compared: decoded. `None` if it cannot be decoded.
    pub fn text(&self, segment: usize) -> Option<&[u8]> {
        let start = self.start_of(segment);
        if !self.escaped {
            return Some(&self.raw[start..self.end_of(segment)]);
        }
        match self.decoded_lengths[segment] {
            UNDECODABLE => None,
            length => Some(&self.decoded[start..start + length as usize]),
        }
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

    /// Whether `start..end` has escapes, and whether they can be decoded.
    pub fn escapes(&mut self, start: usize, end: usize) -> Escapes {
        if !self.raw[start..end].contains(&b'%') {
            return Escapes::None;
        }
        match decode(&self.raw[start..end], &mut self.decoded[start..end]) {
            Some(_) => Escapes::Decodable,
            None => Escapes::Malformed,
        }
    }

    fn decode(&mut self) {
        for segment in 0..self.segments {
            let (start, end) = (self.start_of(segment), self.end_of(segment));
            self.decoded_lengths[segment] =
                match decode(&self.raw[start..end], &mut self.decoded[start..end]) {
                    Some(length) => length as u16,
                    None => UNDECODABLE,
                };
        }
    }
}

/// What a piece of the path says about `%`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escapes {
    None,
    Decodable,
    Malformed,
}

/// Decodes `raw` into `decoded`, which is as long, and returns the length if that is UTF-8.
fn decode(raw: &[u8], decoded: &mut [u8]) -> Option<usize> {
    let mut length = 0;
    let mut at = 0;
    while let Some(&byte) = raw.get(at) {
        let (byte, width) = if byte == b'%' { (hex_byte(raw, at + 1)?, 3) } else { (byte, 1) };
        decoded[length] = byte;
        length += 1;
        at += width;
    }
    core::str::from_utf8(&decoded[..length]).ok()?;
    Some(length)
}

/// The byte that two hexadecimal digits at `at` write.
pub fn hex_byte(text: &[u8], at: usize) -> Option<u8> {
    Some(hex_digit(*text.get(at)?)? << 4 | hex_digit(*text.get(at + 1)?)?)
}

fn hex_digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

//! UTF-8, validated as strictly as by `decodeURIComponent`: no overlong forms, no surrogates.

/// Returns whether bytes are valid UTF-8.
pub fn is_valid(bytes: &[u8]) -> bool {
    let mut at = 0;
    while at < bytes.len() {
        let Some((point, width)) = next(bytes, at) else { return false };
        // Rejects surrogates and overlong forms.
        if char::from_u32(point).is_none_or(|character| character.len_utf8() != width) {
            return false;
        }
        at += width;
    }
    true
}

/// Returns the code point at an offset and its width; a stray continuation byte counts as a code
/// point. Returns `None` at the end, and where a code point is truncated.
#[inline(always)]
pub fn next(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    let first = *bytes.get(at)?;
    if first < 0xc0 { Some((u32::from(first), 1)) } else { wide(bytes, at, u32::from(first)) }
}

#[inline(never)]
fn wide(bytes: &[u8], at: usize, first: u32) -> Option<(u32, usize)> {
    let width = match first {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf7 => 4,
        _ => return Some((first, 1)),
    };
    let mut point = first & (0x7f >> width);
    for &byte in bytes.get(at + 1..at + width)? {
        if byte & 0xc0 != 0x80 {
            return None;
        }
        point = point << 6 | u32::from(byte & 0x3f);
    }
    Some((point, width))
}

/// Returns the code point that ends at `end` and its width, unless it starts before `start`.
pub fn previous(bytes: &[u8], start: usize, end: usize) -> Option<(u32, usize)> {
    let mut at = end;
    while at > start {
        at -= 1;
        if bytes.get(at)? & 0xc0 != 0x80 {
            return next(bytes, at);
        }
    }
    None
}

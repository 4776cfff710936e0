//! Operations on blocks of sixteen bytes: one SIMD register in WebAssembly, a loop elsewhere.

use crate::list::{item, part};
use crate::pattern::Span;

/// Size of a block in bytes. Buffers are padded by one block.
pub const BLOCK: usize = 16;

/// Positions of the delimiters in a block: bit n stands for byte n.
#[derive(Clone, Copy)]
pub struct Marks {
    /// `/`
    pub slashes: u32,
    /// `?` and `#`, which end a path
    pub stops: u32,
    /// `%`
    pub escapes: u32,
}

/// Returns N bytes at an offset. The buffer must be that long.
#[inline(always)]
fn chunk<const N: usize>(bytes: &[u8], at: usize) -> &[u8; N] {
    let chunk = part(bytes, at, at + N);
    // SAFETY: the part has N bytes.
    unsafe { &*chunk.as_ptr().cast() }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod lanes {
    use super::{BLOCK, Marks};
    use core::arch::wasm32::{i8x16_bitmask, i8x16_eq, i8x16_splat, v128, v128_load, v128_or};

    fn load(block: &[u8; BLOCK]) -> v128 {
        // SAFETY: a block is sixteen readable bytes, and loads need no alignment.
        unsafe { v128_load(block.as_ptr().cast()) }
    }

    fn equal(block: v128, byte: u8) -> v128 {
        i8x16_eq(block, i8x16_splat(byte as i8))
    }

    #[inline(always)]
    pub fn marks(block: &[u8; BLOCK]) -> Marks {
        let block = load(block);
        Marks {
            slashes: i8x16_bitmask(equal(block, b'/')).into(),
            stops: i8x16_bitmask(v128_or(equal(block, b'?'), equal(block, b'#'))).into(),
            escapes: i8x16_bitmask(equal(block, b'%')).into(),
        }
    }

    #[inline(always)]
    pub fn differences(left: &[u8; BLOCK], right: &[u8; BLOCK]) -> u32 {
        !u32::from(i8x16_bitmask(i8x16_eq(load(left), load(right))))
    }

    #[inline(always)]
    pub fn positions(block: &[u8; BLOCK], byte: u8) -> u32 {
        i8x16_bitmask(equal(load(block), byte)).into()
    }
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod lanes {
    use super::{BLOCK, Marks};

    fn bits(block: &[u8; BLOCK], is_marked: impl Fn(u8) -> bool) -> u32 {
        block.iter().rev().fold(0, |bits, &byte| bits << 1 | u32::from(is_marked(byte)))
    }

    pub fn marks(block: &[u8; BLOCK]) -> Marks {
        Marks {
            slashes: bits(block, |byte| byte == b'/'),
            stops: bits(block, |byte| byte == b'?' || byte == b'#'),
            escapes: bits(block, |byte| byte == b'%'),
        }
    }

    pub fn differences(left: &[u8; BLOCK], right: &[u8; BLOCK]) -> u32 {
        let pairs = left.iter().zip(right).rev();
        pairs.fold(0, |bits, (left, right)| bits << 1 | u32::from(left != right))
    }

    pub fn positions(block: &[u8; BLOCK], wanted: u8) -> u32 {
        bits(block, |byte| byte == wanted)
    }
}

/// Returns the delimiters in the block at an offset.
#[inline(always)]
pub fn marks(bytes: &[u8], at: usize) -> Marks {
    lanes::marks(chunk(bytes, at))
}

/// Returns whether `length` bytes are equal in both buffers, which are padded by a block.
#[inline(always)]
pub fn same(left: &[u8], left_at: usize, right: &[u8], right_at: usize, length: usize) -> bool {
    let mut done = 0;
    loop {
        let differences =
            lanes::differences(chunk(left, left_at + done), chunk(right, right_at + done));
        let left_over = length - done;
        if left_over <= BLOCK {
            return differences & ((1 << left_over) - 1) == 0;
        }
        if differences & 0xffff != 0 {
            return false;
        }
        done += BLOCK;
    }
}

/// Returns the offset of the last occurrence of a text, which is not empty, in `from..to` of a
/// buffer. Buffer and text are padded by a block.
pub fn find_last(buffer: &[u8], from: usize, to: usize, texts: &[u8], text: Span) -> Option<usize> {
    let length = text.len() as usize;
    let byte = |offset: usize| *item(texts, text.start as usize + offset);
    // Two different bytes of the text, where it has them, reject almost every place in a block.
    let mut other = length - 1;
    while other > 0 && byte(other) == byte(0) {
        other -= 1;
    }
    // Occurrences start in `from..end`.
    let mut end = (to + 1).saturating_sub(length);
    while end > from {
        let start = from.max(end.saturating_sub(BLOCK));
        let mut places = lanes::positions(chunk(buffer, start), byte(0))
            & lanes::positions(chunk(buffer, start + other), byte(other))
            & ((1 << (end - start)) - 1);
        while places != 0 {
            let place = places.ilog2() as usize;
            if same(buffer, start + place, texts, text.start as usize, length) {
                return Some(start + place);
            }
            places ^= 1 << place;
        }
        end = start;
    }
    None
}

/// Hashes `length` bytes and a seed to 32 bits, of which the highest are spread best. The buffer is
/// padded by a block.
///
/// For eight bytes or more, only the first, middle and last eight are read. The seed is mixed in
/// last: a search knows the text before it knows the node.
#[inline(always)]
pub fn hash(seed: u32, bytes: &[u8], at: usize, length: usize) -> u32 {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let word = |offset: usize| u64::from_le_bytes(*chunk(bytes, at + offset));
    let mut hash = length as u64;
    if length < 8 {
        hash ^= (word(0) & ((1 << (8 * length)) - 1)) << 8;
    } else {
        hash ^= word(0) ^ word(length - 8).rotate_left(27) ^ word(length / 2 - 4).rotate_left(43);
    }
    // A multiplication spreads bits upwards only.
    hash ^= hash >> 32;
    (hash.wrapping_mul(MULTIPLIER) >> 32) as u32 ^ seed.wrapping_mul(0x85eb_ca6b)
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Span, find_last, hash, same};
    use crate::tests::test;
    use std::collections::HashSet;

    fn hash_of(seed: u32, text: &str) -> u32 {
        let padded = [b"/", text.as_bytes(), &[b'!'; BLOCK]].concat();
        hash(seed, &padded, 1, text.len())
    }

    /// A table with twice as many slots uses the highest bits. Random hashes would fill 79 % as many
    /// slots as there are keys.
    fn assert_spread(hashes: impl Iterator<Item = u32>) {
        let hashes: Vec<u32> = hashes.collect();
        let shift = 32 - (2 * hashes.len()).next_power_of_two().trailing_zeros();
        let slots: HashSet<u32> = hashes.iter().map(|hash| hash >> shift).collect();
        assert!(4 * slots.len() > 3 * hashes.len(), "{} of {}", slots.len(), hashes.len());
    }

    #[test]
    fn hashes_are_spread() {
        assert_spread((0..4096).map(|index| hash_of(0, &format!("{index}"))));
        assert_spread((0..4096).map(|index| hash_of(0, &format!("{index:07}"))));
        assert_spread((0..4096).map(|index| hash_of(0, &format!("{index:012}"))));
        assert_spread((0..4096).map(|index| hash_of(0, &format!("{index}-of-the-routes"))));
        assert_spread((0..4096).map(|index| hash_of(0, &format!("a-route-{index:08}-to-them"))));
        assert_spread((0..4096).map(|index| hash_of(index, "")));
        assert_spread((0..4096).map(|index| hash_of(index, "users")));
        assert_spread((0..4096).map(|index| hash_of(index << 12, "repositories")));
        assert_spread((0..512).map(|length| hash_of(0, &"a".repeat(length))));
    }

    #[test]
    fn bytes_after_the_end_are_not_hashed() {
        for length in 0..24 {
            let text = "abcdefghijklmnopqrstuvwxyz";
            let alone = [&text.as_bytes()[..length], &[0; BLOCK]].concat();
            let inside = [text.as_bytes(), &[0; BLOCK]].concat();
            assert_eq!(hash(7, &alone, 0, length), hash(7, &inside, 0, length), "{length}");
        }
    }

    #[test]
    fn the_last_occurrence_is_found() {
        // Few letters, so that texts and parts of them occur often.
        let buffer: Vec<u8> = (0..100u32).map(|at| b'a' + (at * at / 7 % 3) as u8).collect();
        for length in 1..=20 {
            for place in 0..100 - BLOCK - length {
                let texts = [b"xx", &buffer[place..place + length], &[0; BLOCK]].concat();
                let text = Span::new(2, 2 + length);
                for (from, to) in [(0, 84), (place, place + length), (place + 1, 84), (9, 60)] {
                    let places = from..(to + 1usize).saturating_sub(length);
                    let expected =
                        { places }.rfind(|&at| buffer[at..].starts_with(text.of(&texts)));
                    let found = find_last(&buffer, from, to, &texts, text);
                    assert_eq!(found, expected, "{length} {place} {from} {to}");
                }
            }
        }
    }

    #[test]
    fn a_difference_in_any_byte_is_found() {
        let text: Vec<u8> = (0..100).collect();
        for length in 0..=80 {
            let left = [b"xx", &text[..]].concat();
            assert!(same(&left, 2, &text, 0, length));
            for place in 0..100 - BLOCK {
                let mut right = text.clone();
                right[place] ^= 1;
                assert_eq!(same(&left, 2, &right, 0, length), place >= length, "{length} {place}");
            }
        }
    }
}

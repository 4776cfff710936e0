//! Sixteen bytes at a time: one SIMD register in WebAssembly, a loop elsewhere.

use crate::list::part;

/// How many bytes a block has; buffers are padded by as many.
pub const BLOCK: usize = 16;

/// Where in a block a character of interest is: bit n stands for byte n.
#[derive(Clone, Copy)]
pub struct Marks {
    /// `/`
    pub slashes: u32,
    /// `?` and `#`, which end a path
    pub stops: u32,
    /// `%`
    pub escapes: u32,
}

/// The bytes at an offset, behind which there are enough.
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
}

/// The marks of the block at an offset.
#[inline(always)]
pub fn marks(bytes: &[u8], at: usize) -> Marks {
    lanes::marks(chunk(bytes, at))
}

/// Whether `length` bytes are the same in both; both are padded by a block.
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

/// Mixes `length` bytes and a number into 32 bits; the bytes are padded by a block.
///
/// Of a long text only its beginning, middle and end are read, eight bytes each.
#[inline(always)]
pub fn hash(seed: u32, bytes: &[u8], at: usize, length: usize) -> u32 {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let word = |offset: usize| u64::from_le_bytes(*chunk(bytes, at + offset));
    let mut hash = u64::from(seed) << 32 | length as u64;
    if length < 8 {
        hash ^= word(0) & ((1 << (8 * length)) - 1);
    } else {
        hash ^= word(0) ^ word(length - 8).rotate_left(27) ^ word(length / 2 - 4).rotate_left(43);
    }
    hash = hash.wrapping_mul(MULTIPLIER);
    // The highest bytes of a word change the highest bits only, and the table looks at the lowest.
    ((hash ^ hash >> 32).wrapping_mul(MULTIPLIER) >> 32) as u32
}

//! A growable list, smaller than `Vec`.
//!
//! When the host grants no more memory, the call traps. Only adding a route allocates; the caller
//! then creates a new instance with the routes it had before.
//!
//! Every index in this crate comes from its own lists. The native build checks indices, and the
//! native tests and the fuzz target run it. The WebAssembly build does not: the checks would be a
//! third of its size, and a wrong index could reach nothing outside the memory of the instance.

use core::marker::PhantomData;
use core::ops::{Deref, DerefMut, Index, IndexMut};
use core::ptr::NonNull;

use crate::heap::{give_back, take};

/// A list whose items are added at the end.
pub struct List<T> {
    block: Block,
    items: PhantomData<T>,
}

// SAFETY: a list owns its items.
unsafe impl<T: Send> Send for List<T> {}

/// Types with a valid all-zero value.
///
/// # Safety
/// A value whose bytes are all zero must be valid.
pub unsafe trait Zero: Copy {}

// SAFETY: zero is a valid integer.
unsafe impl Zero for u8 {}
unsafe impl Zero for u32 {}

impl<T: Copy> List<T> {
    pub const fn new() -> Self {
        // Aligned for every type of item.
        let start = NonNull::<u128>::dangling().cast();
        Self { block: Block { start, power: 0, length: 0 }, items: PhantomData }
    }

    /// Adds an item and returns its index.
    pub fn push(&mut self, item: T) -> u32 {
        let address = self.block.add(size_of::<T>(), 1);
        // SAFETY: the memory is unused, large enough, and aligned for any item.
        unsafe { address.cast().write(item) };
        self.block.length as u32 - 1
    }

    /// Adds items and returns the index of the first one.
    pub fn extend(&mut self, items: &[T]) -> u32 {
        let first = self.block.length;
        let address = self.block.add(size_of::<T>(), items.len());
        let from = NonNull::from(items).cast::<T>();
        // SAFETY: the memory is unused and large enough. The items are in another block, because
        // this one is mutably borrowed.
        unsafe { address.cast::<T>().copy_from_nonoverlapping(from, items.len()) };
        first as u32
    }

    /// Removes the items from an index on, and keeps their memory.
    pub fn truncate(&mut self, length: usize) {
        self.block.length = self.block.length.min(length);
    }

    /// Extends the list with zeros to a length, unless it is that long already.
    pub fn fill_up(&mut self, length: usize)
    where
        T: Zero,
    {
        self.block.fill_up(length, size_of::<T>());
    }
}

/// Memory of a list, `1 << power` bytes. Its methods are shared by all types of items.
struct Block {
    start: NonNull<u8>,
    /// 0 before the first allocation.
    power: u32,
    length: usize,
}

impl Block {
    /// Makes room for `count` items of a size, and returns the address of the first.
    #[inline(never)]
    fn add(&mut self, size: usize, count: usize) -> NonNull<u8> {
        let used = self.length * size;
        self.make_room(used, used + size * count);
        self.length += count;
        // SAFETY: the block has more than `used` bytes, or exactly as many if `count` is 0.
        unsafe { self.start.add(used) }
    }

    #[inline(never)]
    fn fill_up(&mut self, length: usize, size: usize) {
        if self.length < length {
            let count = length - self.length;
            let address = self.add(size, count);
            // SAFETY: `add` has made room for this many bytes.
            unsafe { address.write_bytes(0, count * size) };
        }
    }

    fn make_room(&mut self, used: usize, wanted: usize) {
        let room = (1 << self.power) & !1;
        if wanted > room {
            let power = (usize::BITS - (wanted - 1).leading_zeros()).max(6);
            let start = take(power);
            // SAFETY: the new block is larger than the old one and does not overlap it.
            unsafe { start.copy_from_nonoverlapping(self.start, used) };
            self.release();
            self.start = start;
            self.power = power;
        }
    }

    fn release(&mut self) {
        if self.power > 0 {
            // SAFETY: the block comes from `take` with this power, and the caller drops it.
            unsafe { give_back(self.start, self.power) };
        }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        self.release();
    }
}

/// Returns the item at an index, which must be in range.
#[inline(always)]
pub fn item<T>(items: &[T], index: usize) -> &T {
    #[cfg(not(target_arch = "wasm32"))]
    return &items[index];
    #[cfg(target_arch = "wasm32")]
    // SAFETY: the index is in range; tests of the native build check that.
    return unsafe { items.get_unchecked(index) };
}

/// Returns the items in `start..end`, which must be in range.
#[inline(always)]
pub fn part<T>(items: &[T], start: usize, end: usize) -> &[T] {
    #[cfg(not(target_arch = "wasm32"))]
    return &items[start..end];
    #[cfg(target_arch = "wasm32")]
    // SAFETY: the index is in range; tests of the native build check that.
    return unsafe { items.get_unchecked(start..end) };
}

impl<T> Deref for List<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: this many items have been written.
        unsafe { core::slice::from_raw_parts(self.block.start.as_ptr().cast(), self.block.length) }
    }
}

impl<T> DerefMut for List<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above.
        unsafe {
            core::slice::from_raw_parts_mut(self.block.start.as_ptr().cast(), self.block.length)
        }
    }
}

impl<T> Index<usize> for List<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, index: usize) -> &T {
        item(self, index)
    }
}

impl<T> IndexMut<usize> for List<T> {
    #[inline(always)]
    fn index_mut(&mut self, index: usize) -> &mut T {
        #[cfg(not(target_arch = "wasm32"))]
        return &mut (**self)[index];
        #[cfg(target_arch = "wasm32")]
        // SAFETY: the index is in range; tests of the native build check that.
        return unsafe { self.get_unchecked_mut(index) };
    }
}

impl<T> Index<u32> for List<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, index: u32) -> &T {
        &self[index as usize]
    }
}

impl<T> IndexMut<u32> for List<T> {
    #[inline(always)]
    fn index_mut(&mut self, index: u32) -> &mut T {
        &mut self[index as usize]
    }
}

//! A growing list, lighter than `Vec`.
//!
//! A host that gives no more memory ends the call that asked for it: only adding a route asks, and
//! the caller then makes a new instance from the routes it had.
//!
//! Every index in this crate comes out of its own lists. The native build checks each all the same,
//! and that is the build that the tests and the fuzz target run. The WebAssembly build does not:
//! the checks would be a third of its size, and its memory is its own, whatever the index.

use core::marker::PhantomData;
use core::ops::{Deref, DerefMut, Index, IndexMut};
use core::ptr::NonNull;

use crate::heap::{give_back, take};

/// Items that are added at the end.
pub struct List<T> {
    block: Block,
    items: PhantomData<T>,
}

// SAFETY: a list owns its items, as a `Vec` does.
unsafe impl<T: Send> Send for List<T> {}

/// What may be made of zeros.
///
/// # Safety
/// A value whose bytes are all zero is one of the type.
pub unsafe trait Zero: Copy {}

// SAFETY: zero is one of these numbers.
unsafe impl Zero for u8 {}
unsafe impl Zero for u32 {}

impl<T: Copy> List<T> {
    pub const fn new() -> Self {
        // Aligned for every item there is.
        let start = NonNull::<u128>::dangling().cast();
        Self { block: Block { start, power: 0, length: 0 }, items: PhantomData }
    }

    /// Adds an item and returns its index.
    pub fn push(&mut self, item: T) -> u32 {
        let place = self.block.add(size_of::<T>(), 1);
        // SAFETY: the place is free, large enough, and aligned for any item.
        unsafe { place.cast().write(item) };
        self.block.length as u32 - 1
    }

    /// Adds items and returns the first index.
    pub fn extend(&mut self, items: &[T]) -> u32 {
        let first = self.block.length;
        let place = self.block.add(size_of::<T>(), items.len());
        let from = NonNull::from(items).cast::<T>();
        // SAFETY: the places are free and follow each other; what is copied lies in another block,
        // for this one is borrowed.
        unsafe { place.cast::<T>().copy_from_nonoverlapping(from, items.len()) };
        first as u32
    }

    /// Forgets the items from an index on, and keeps their room.
    pub fn truncate(&mut self, length: usize) {
        self.block.length = self.block.length.min(length);
    }

    /// Fills the list with zeros up to a length, if it is not as long yet.
    pub fn fill_up(&mut self, length: usize)
    where
        T: Zero,
    {
        self.block.fill_up(length, size_of::<T>());
    }
}

/// Items whose type is known to the owner, in a block of `1 << power` bytes.
struct Block {
    start: NonNull<u8>,
    /// 0 without a block.
    power: u32,
    length: usize,
}

impl Block {
    /// Makes places for so many more items of a size, and returns the first.
    #[inline(never)]
    fn add(&mut self, size: usize, count: usize) -> NonNull<u8> {
        let used = self.length * size;
        self.make_room(used, used + size * count);
        self.length += count;
        // SAFETY: the block has this many bytes and more.
        unsafe { self.start.add(used) }
    }

    #[inline(never)]
    fn fill_up(&mut self, length: usize, size: usize) {
        if self.length < length {
            let count = length - self.length;
            let place = self.add(size, count);
            // SAFETY: there is this much room.
            unsafe { place.write_bytes(0, count * size) };
        }
    }

    fn make_room(&mut self, used: usize, wanted: usize) {
        let room = (1 << self.power) & !1;
        if wanted > room {
            let power = (usize::BITS - (wanted - 1).leading_zeros()).max(6);
            let start = take(power);
            // SAFETY: the new block is larger than the old one, and is another.
            unsafe { start.copy_from_nonoverlapping(self.start, used) };
            self.release();
            self.start = start;
            self.power = power;
        }
    }

    fn release(&mut self) {
        if self.power > 0 {
            // SAFETY: the block has this size, and its owner forgets it.
            unsafe { give_back(self.start, self.power) };
        }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        self.release();
    }
}

/// The item at an index, which is in range.
#[inline(always)]
pub fn item<T>(items: &[T], index: usize) -> &T {
    #[cfg(not(target_arch = "wasm32"))]
    return &items[index];
    #[cfg(target_arch = "wasm32")]
    // SAFETY: the native build checks that no index is out of range.
    return unsafe { items.get_unchecked(index) };
}

/// The items from `start` to `end`, which are in range.
#[inline(always)]
pub fn part<T>(items: &[T], start: usize, end: usize) -> &[T] {
    #[cfg(not(target_arch = "wasm32"))]
    return &items[start..end];
    #[cfg(target_arch = "wasm32")]
    // SAFETY: the native build checks that no index is out of range.
    return unsafe { items.get_unchecked(start..end) };
}

impl<T> Deref for List<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: so many items have been written.
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
        // SAFETY: the native build checks that no index is out of range.
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

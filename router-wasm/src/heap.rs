//! Memory of lists: blocks whose size is a power of two, without a general allocator.
//!
//! Lists live as long as the instance and only grow. A list that grows returns its old block to the
//! heap, for the next list that needs a block of that size.

#[cfg(not(target_arch = "wasm32"))]
pub use native::{give_back, take};
#[cfg(target_arch = "wasm32")]
pub use wasm::{give_back, take};

#[cfg(target_arch = "wasm32")]
mod wasm {
    use core::arch::wasm32;
    use core::cell::UnsafeCell;
    use core::ptr::NonNull;

    const PAGE: usize = 64 * 1024;

    struct Heap {
        /// End of the memory handed out so far.
        top: usize,
        /// Address of a free block for each power of two. A free block starts with the address of
        /// the next one, or 0.
        free: [usize; 32],
    }

    struct Shared<T>(UnsafeCell<T>);

    // SAFETY: the module is built without threads.
    unsafe impl<T> Sync for Shared<T> {}

    static HEAP: Shared<Heap> = Shared(UnsafeCell::new(Heap { top: 0, free: [0; 32] }));

    /// Start of the heap: the end of static data and stack.
    #[cfg(not(test))]
    fn base() -> usize {
        unsafe extern "C" {
            /// Set by the linker.
            static __heap_base: u8;
        }
        &raw const __heap_base as usize
    }

    /// Tests place the heap in static memory, because the memory at `__heap_base` belongs to the
    /// allocator of std there.
    #[cfg(test)]
    fn base() -> usize {
        static ARENA: Shared<[u8; ARENA_SIZE]> = Shared(UnsafeCell::new([0; ARENA_SIZE]));
        ARENA.0.get() as usize
    }

    #[cfg(test)]
    const ARENA_SIZE: usize = 64 << 20;

    /// Returns a block of `1 << power` bytes, aligned to 16. Traps when the host grants no more
    /// memory.
    pub fn take(power: u32) -> NonNull<u8> {
        // SAFETY: this is the only reference to the heap. A power is below 32, and a free block
        // starts with the address of the next one.
        unsafe {
            let heap = &mut *HEAP.0.get();
            let free = heap.free.get_unchecked_mut(power as usize);
            let mut block = *free;
            if block != 0 {
                *free = *(block as *const usize);
            } else {
                block = heap.top.max(base().next_multiple_of(16));
                heap.top = block + (1 << power);
                #[cfg(test)]
                assert!(heap.top <= base() + ARENA_SIZE, "tests need a larger arena");
                let missing = heap.top.saturating_sub(wasm32::memory_size(0) * PAGE);
                if missing > 0 && wasm32::memory_grow(0, missing.div_ceil(PAGE)) == usize::MAX {
                    wasm32::unreachable();
                }
            }
            NonNull::new_unchecked(block as *mut u8)
        }
    }

    /// Returns a block to the heap.
    ///
    /// # Safety
    /// The block comes from `take` with this power, and nothing uses it any more.
    pub unsafe fn give_back(block: NonNull<u8>, power: u32) {
        // SAFETY: as in `take`; the smallest block has room for an address.
        unsafe {
            let free = (*HEAP.0.get()).free.get_unchecked_mut(power as usize);
            block.cast::<usize>().write(*free);
            *free = block.as_ptr() as usize;
        }
    }

    #[cfg(test)]
    mod tests {
        use super::{NonNull, give_back, take};
        use crate::tests::test;

        fn fill(block: NonNull<u8>, power: u32, byte: u8) {
            // SAFETY: the block has this many bytes, and only this test uses it.
            unsafe { block.write_bytes(byte, 1 << power) };
        }

        fn holds(block: NonNull<u8>, power: u32, byte: u8) -> bool {
            // SAFETY: as above, and `fill` has initialised the bytes.
            let bytes = unsafe { core::slice::from_raw_parts(block.as_ptr(), 1 << power) };
            bytes.iter().all(|&found| found == byte)
        }

        #[test]
        fn blocks_are_aligned_and_do_not_overlap() {
            let powers = [6, 7, 12, 6, 20, 6, 7];
            let blocks = powers.map(take);
            for (index, (&block, power)) in blocks.iter().zip(powers).enumerate() {
                assert!(block.cast::<u128>().is_aligned());
                fill(block, power, index as u8 + 1);
            }
            for (index, (&block, power)) in blocks.iter().zip(powers).enumerate() {
                assert!(holds(block, power, index as u8 + 1), "block {index}");
                // SAFETY: the block comes from `take`, and this is its last use.
                unsafe { give_back(block, power) };
            }
        }

        #[test]
        fn a_returned_block_serves_the_next_request_of_its_size() {
            let (first, second) = (take(9), take(9));
            // SAFETY: neither block is used any more.
            unsafe {
                give_back(first, 9);
                give_back(second, 9);
            }
            let other_size = take(10);
            let (third, fourth) = (take(9), take(9));
            assert_eq!([third, fourth], [second, first]);
            // SAFETY: none of the blocks is used any more.
            unsafe {
                give_back(third, 9);
                give_back(fourth, 9);
                give_back(other_size, 10);
            }
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
    use std::ptr::NonNull;

    fn layout(power: u32) -> Layout {
        Layout::from_size_align(1 << power, 16).expect("a size within the address space")
    }

    /// Returns a block of `1 << power` bytes, aligned to 16.
    pub fn take(power: u32) -> NonNull<u8> {
        let layout = layout(power);
        // SAFETY: the size is not 0.
        NonNull::new(unsafe { alloc(layout) }).unwrap_or_else(|| handle_alloc_error(layout))
    }

    /// Returns a block to the allocator.
    ///
    /// # Safety
    /// The block comes from `take` with this power, and nothing uses it any more.
    pub unsafe fn give_back(block: NonNull<u8>, power: u32) {
        // SAFETY: the caller guarantees it.
        unsafe { dealloc(block.as_ptr(), layout(power)) };
    }
}

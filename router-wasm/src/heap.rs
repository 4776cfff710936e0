//! Memory of lists: blocks whose size is a power of two, and no other allocator beside it.
//!
//! All memory belongs to lists that live as long as the instance and only grow. A list that grows
//! leaves its old block to whichever list next wants that size.

use core::ptr::NonNull;

#[cfg(target_arch = "wasm32")]
pub use wasm::{give_back, take};

#[cfg(not(target_arch = "wasm32"))]
pub use native::{give_back, take};

#[cfg(target_arch = "wasm32")]
mod wasm {
    use super::NonNull;
    use core::arch::wasm32;
    use core::cell::UnsafeCell;

    const PAGE: usize = 64 * 1024;

    struct Heap {
        /// How much of memory is given out.
        top: usize,
        /// For each power of two, the address of a free block, which begins with that of the next.
        free: [usize; 32],
    }

    struct Shared(UnsafeCell<Heap>);

    // SAFETY: the module is built without threads.
    unsafe impl Sync for Shared {}

    static HEAP: Shared = Shared(UnsafeCell::new(Heap { top: 0, free: [0; 32] }));

    unsafe extern "C" {
        /// Set by the linker to the end of static data and stack.
        static __heap_base: u8;
    }

    /// A block of `1 << power` bytes, aligned to 16. Without memory the call ends here.
    pub fn take(power: u32) -> NonNull<u8> {
        // SAFETY: nobody else has the reference; a power is below 32, and a free block begins with
        // the address of the next.
        unsafe {
            let heap = &mut *HEAP.0.get();
            let free = heap.free.get_unchecked_mut(power as usize);
            let mut block = *free;
            if block != 0 {
                *free = *(block as *const usize);
            } else {
                block = heap.top.max((&raw const __heap_base as usize).next_multiple_of(16));
                heap.top = block + (1 << power);
                let missing = heap.top.saturating_sub(wasm32::memory_size(0) * PAGE);
                if missing > 0 && wasm32::memory_grow(0, missing.div_ceil(PAGE)) == usize::MAX {
                    wasm32::unreachable();
                }
            }
            NonNull::new_unchecked(block as *mut u8)
        }
    }

    /// # Safety
    /// The block is from `take` with this power, and nobody uses it any more.
    pub unsafe fn give_back(block: NonNull<u8>, power: u32) {
        // SAFETY: as above; the smallest block has room for an address.
        unsafe {
            let free = (*HEAP.0.get()).free.get_unchecked_mut(power as usize);
            block.cast::<usize>().write(*free);
            *free = block.as_ptr() as usize;
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use super::NonNull;
    use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};

    fn layout(power: u32) -> Layout {
        Layout::from_size_align(1 << power, 16).expect("a size within the address space")
    }

    pub fn take(power: u32) -> NonNull<u8> {
        let layout = layout(power);
        // SAFETY: the size is not 0.
        NonNull::new(unsafe { alloc(layout) }).unwrap_or_else(|| handle_alloc_error(layout))
    }

    /// # Safety
    /// The block is from `take` with this power, and nobody uses it any more.
    pub unsafe fn give_back(block: NonNull<u8>, power: u32) {
        // SAFETY: the caller says so.
        unsafe { dealloc(block.as_ptr(), layout(power)) };
    }
}

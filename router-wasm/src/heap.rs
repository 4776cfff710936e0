//! The allocator of the WebAssembly build: blocks of powers of two, cut from the end of memory.
//!
//! All memory belongs to lists that live as long as the instance and only grow. A list that grows
//! leaves its old block to whichever list next wants that size.

use core::alloc::{GlobalAlloc, Layout};
use core::arch::wasm32;
use core::cell::UnsafeCell;
use core::ptr::null_mut;

const PAGE: usize = 64 * 1024;
const SMALLEST: u32 = 4;

struct Heap {
    /// The first byte that is not given out.
    top: usize,
    /// For each power of two, a list of free blocks, each of which begins with the next one.
    free: [*mut u8; 32],
}

struct Shared(UnsafeCell<Heap>);

// SAFETY: the module is built without threads.
unsafe impl Sync for Shared {}

#[global_allocator]
static HEAP: Shared = Shared(UnsafeCell::new(Heap { top: 0, free: [null_mut(); 32] }));

unsafe extern "C" {
    /// Set by the linker to the end of static data and stack.
    static __heap_base: u8;
}

fn class_of(layout: Layout) -> u32 {
    let size = layout.size().max(layout.align());
    size.next_power_of_two().trailing_zeros().max(SMALLEST)
}

// SAFETY: blocks do not overlap: each is cut from fresh memory, and in a free list when it is not
// in use. A block of a power of two is aligned to itself or to 16, more than any type here needs.
unsafe impl GlobalAlloc for Shared {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let class = class_of(layout);
        // SAFETY: no allocation happens while this reference lives.
        let heap = unsafe { &mut *self.0.get() };
        let Some(free) = heap.free.get_mut(class as usize) else { return null_mut() };
        let block = *free;
        if !block.is_null() {
            // SAFETY: a free block begins with the address of the next.
            *free = unsafe { *block.cast::<*mut u8>() };
            return block;
        }
        if heap.top == 0 {
            heap.top = (&raw const __heap_base as usize).next_multiple_of(16);
        }
        let end = heap.top + (1 << class);
        let missing = end.saturating_sub(wasm32::memory_size(0) * PAGE).div_ceil(PAGE);
        if missing > 0 && wasm32::memory_grow(0, missing) == usize::MAX {
            return null_mut();
        }
        let block = heap.top as *mut u8;
        heap.top = end;
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let class = class_of(layout) as usize;
        // SAFETY: as in `alloc`; the block is at least 16 bytes and its owner is done with it.
        unsafe {
            if let Some(free) = (*self.0.get()).free.get_mut(class) {
                *block.cast::<*mut u8>() = *free;
                *free = block;
            }
        }
    }
}

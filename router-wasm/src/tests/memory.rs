//! Memory that a router allocates, counted by the allocator of this program.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use super::test;
use router_wasm::{GET, Outcome, Router};

thread_local! {
    /// Number of allocations of this thread, and the bytes it has allocated and not freed.
    static ALLOCATED: Cell<(usize, isize)> = const { Cell::new((0, 0)) };
}

struct Counting;

fn count(times: usize, bytes: isize) {
    ALLOCATED.with(|total| total.set((total.get().0 + times, total.get().1 + bytes)));
}

// SAFETY: forwards to the system's allocator; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size() as isize);
        // SAFETY: the caller guarantees it.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(0, -(layout.size() as isize));
        // SAFETY: the caller guarantees it.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocated() -> (usize, isize) {
    ALLOCATED.with(Cell::get)
}

fn filled() -> Router {
    let mut router = Router::new(true);
    for index in 0..500 {
        router.insert(index % 5, &format!("/r{index}/:a(\\d+)-:b/:c?/*")).expect("a pattern");
    }
    router
}

#[test]
fn a_dropped_router_frees_its_memory() {
    let before = allocated().1;
    let router = filled();
    assert!(allocated().1 > before + 100_000);
    drop(router);
    assert_eq!(allocated().1, before);
}

#[test]
fn matching_does_not_allocate() {
    let mut router = filled();
    let paths = ["/r7/1-x/y/z", "/r499/12-%41/", "/r3/1-2", "/nothing", "/r8/%zz-1/2/3", "/"];
    let before = allocated();
    let outcomes = paths.map(|path| router.find_path(GET + 2, path.as_bytes()));
    assert_eq!(allocated(), before);
    assert!(matches!(outcomes[0], Outcome::Found(_)), "{outcomes:?}");
}

/// Rejected patterns, duplicates included, do not accumulate.
#[test]
fn rejected_patterns_use_no_memory() {
    let mut router = filled();
    let rejected =
        ["/r1/:a(\\d+)-:b/:c?/*", "/:a(b", "/:a([b-a])", "/:a(b{65})", "/%zz/:long-name"];
    let mut insert_all = || rejected.map(|pattern| router.insert(1, pattern).is_err());
    assert_eq!(insert_all(), [true; 5]);
    let before = allocated().1;
    for _ in 0..1_000 {
        assert_eq!(insert_all(), [true; 5]);
    }
    assert_eq!(allocated().1, before);
}

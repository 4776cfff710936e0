//! What a router takes of memory, counted by the allocator of this program.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use router_wasm::{GET, Outcome, Router};

thread_local! {
    /// How often this thread has taken memory, and how many bytes it has not given back.
    static TAKEN: Cell<(usize, isize)> = const { Cell::new((0, 0)) };
}

struct Counting;

fn count(times: usize, bytes: isize) {
    TAKEN.with(|taken| taken.set((taken.get().0 + times, taken.get().1 + bytes)));
}

// SAFETY: the system's allocator does the work; the counter takes no memory itself.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(0, -(layout.size() as isize));
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn taken() -> (usize, isize) {
    TAKEN.with(Cell::get)
}

fn filled() -> Router {
    let mut router = Router::new(true);
    for index in 0..500 {
        router.insert(index % 5, &format!("/r{index}/:a(\\d+)-:b/:c?/*")).expect("a pattern");
    }
    router
}

#[test]
fn a_router_gives_back_what_it_took() {
    let before = taken().1;
    let router = filled();
    assert!(taken().1 > before + 100_000);
    drop(router);
    assert_eq!(taken().1, before);
}

#[test]
fn matching_takes_no_memory() {
    let mut router = filled();
    let paths = ["/r7/1-x/y/z", "/r499/12-%41/", "/r3/1-2", "/nothing", "/r8/%zz-1/2/3", "/"];
    let before = taken();
    let outcomes = paths.map(|path| router.find_path(GET + 2, path.as_bytes()));
    assert_eq!(taken(), before);
    assert!(matches!(outcomes[0], Outcome::Found(_)), "{outcomes:?}");
}

/// Refused patterns, however many, leave nothing behind; a duplicate neither.
#[test]
fn refused_patterns_take_no_room() {
    let mut router = filled();
    let refused = ["/r1/:a(\\d+)-:b/:c?/*", "/:a(b", "/:a([b-a])", "/:a(b{65})", "/%zz/:long-name"];
    let mut insert_all = || refused.map(|pattern| router.insert(1, pattern).is_err());
    assert_eq!(insert_all(), [true; 5]);
    let before = taken().1;
    for _ in 0..1_000 {
        assert_eq!(insert_all(), [true; 5]);
    }
    assert_eq!(taken().1, before);
}

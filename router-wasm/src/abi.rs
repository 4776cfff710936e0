//! What WebAssembly exports: integers in, integers out. One instance of the module is one router.
//!
//! The caller writes a path, or a pattern, to `buffer()` and passes its length.

use core::cell::UnsafeCell;

use crate::Router;
use crate::find::Outcome;

/// WebAssembly without threads: nobody else is there to see the cell change.
struct Instance(UnsafeCell<Router>);

// SAFETY: see above; the module is built without the atomics that threads would need.
unsafe impl Sync for Instance {}

static INSTANCE: Instance = Instance(UnsafeCell::new(Router::new(false)));

fn router() -> &'static mut Router {
    // SAFETY: every export takes the reference once and is done with it when it returns, and no
    // export calls out of the module, so no two references live at the same time.
    unsafe { &mut *INSTANCE.0.get() }
}

/// Makes the buffers; must come first. The flag is what `Router::new` takes.
#[unsafe(no_mangle)]
extern "C" fn initialize(ignore_trailing_slash: bool) {
    router().prepare(ignore_trailing_slash);
}

/// The address of `MAX_TEXT` bytes for paths and patterns. It never changes.
#[unsafe(no_mangle)]
extern "C" fn buffer() -> *mut u8 {
    router().buffer().as_mut_ptr()
}

/// Adds the pattern in the buffer; its first answer, or the negative number of a `Reason`.
#[unsafe(no_mangle)]
extern "C" fn insert(method: u32, length: usize) -> i32 {
    match router().insert_buffered(method, length) {
        Ok(answer) => answer as i32,
        Err(reason) => -(reason as i32),
    }
}

/// `Router::position` of the last refused pattern.
#[unsafe(no_mangle)]
extern "C" fn position() -> u32 {
    router().position()
}

/// How many parameters the last pattern has.
#[unsafe(no_mangle)]
extern "C" fn parameters() -> usize {
    router().parameters()
}

/// The name of a parameter in the buffer, as a span whose lowest bit says "optional".
#[unsafe(no_mangle)]
extern "C" fn parameter(index: usize) -> u32 {
    router().parameter(index)
}

/// Matches the path that begins with the first slash in `from..to` of the buffer and ends before
/// the first `?` or `#`; an answer, or the negative status.
#[unsafe(no_mangle)]
extern "C" fn find(method: u32, from: usize, to: usize) -> i32 {
    match router().find(method, from, to) {
        Outcome::Found(answer) => answer as i32,
        Outcome::Undecodable => -400,
        Outcome::NotFound => -404,
        Outcome::MethodNotAllowed => -405,
        Outcome::TooLong => -414,
    }
}

/// The address of `Router::result`. It changes only when routes are added.
#[unsafe(no_mangle)]
extern "C" fn result() -> *const u32 {
    router().result().as_ptr()
}

/// Whether a pattern that the last path matched has this method.
#[unsafe(no_mangle)]
extern "C" fn allows(method: u32) -> bool {
    router().allows(method)
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

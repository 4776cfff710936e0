//! Exports of the WebAssembly module: integers in, integers out. One instance of the module is one
//! router.
//!
//! The caller writes a URL, a path or a pattern to `buffer()` and passes its length.

use core::cell::UnsafeCell;

use crate::Router;
use crate::find::Outcome;

/// The router of this instance.
struct Instance(UnsafeCell<Router>);

// SAFETY: the module is built without the atomics that threads need, so only one thread exists.
unsafe impl Sync for Instance {}

static INSTANCE: Instance = Instance(UnsafeCell::new(Router::new(false)));

fn router() -> &'static mut Router {
    // SAFETY: every export takes the reference once and drops it before it returns, and no export
    // calls out of the module, so no two references exist at the same time.
    unsafe { &mut *INSTANCE.0.get() }
}

/// Allocates the buffers; must be called before any other export. Takes the flag of `Router::new`.
#[unsafe(no_mangle)]
extern "C" fn initialize(ignore_trailing_slash: bool) {
    router().prepare(ignore_trailing_slash);
}

/// Returns the address of the buffer of `MAX_TEXT` bytes. It never changes.
#[unsafe(no_mangle)]
extern "C" fn buffer() -> *mut u8 {
    router().buffer().as_mut_ptr()
}

/// Adds the pattern in the buffer. Returns its first answer id, or the negated number of a
/// `Reason`.
#[unsafe(no_mangle)]
extern "C" fn insert(method: u32, length: usize) -> i32 {
    match router().insert_buffered(method, length) {
        Ok(answer) => answer as i32,
        Err(reason) => -(reason as i32),
    }
}

/// Returns `Router::position` for the last rejected pattern.
#[unsafe(no_mangle)]
extern "C" fn position() -> u32 {
    router().position()
}

/// Returns the number of parameters of the last pattern.
#[unsafe(no_mangle)]
extern "C" fn parameters() -> usize {
    router().parameters()
}

/// Returns the span of a parameter's name, as `Router::parameter` encodes it.
#[unsafe(no_mangle)]
extern "C" fn parameter(index: usize) -> u32 {
    router().parameter(index)
}

/// Matches the path in `from..to` of the buffer, which starts at the first slash and ends before
/// the first `?` or `#`. Returns an answer id, or a negated HTTP status.
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

/// Returns the address of `Router::result`. It changes only when routes are added.
#[unsafe(no_mangle)]
extern "C" fn result() -> *const u32 {
    router().result().as_ptr()
}

/// Returns whether a pattern that matched the last path has a route for this method.
#[unsafe(no_mangle)]
extern "C" fn allows(method: u32) -> bool {
    router().allows(method)
}

#[cfg(not(test))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

#[cfg(test)]
mod tests {
    use super::{
        allows, buffer, find, initialize, insert, parameter, parameters, position, result,
    };
    use crate::tests::test;
    use crate::{GET, HEAD, Reason};

    /// Writes a text to the buffer as JavaScript does, and returns its length.
    fn write(text: &str) -> usize {
        // SAFETY: the buffer has room for any path, and nothing else refers to it during the call.
        unsafe { buffer().copy_from_nonoverlapping(text.as_ptr(), text.len()) };
        text.len()
    }

    #[test]
    fn routes_are_added_and_found_through_the_exports() {
        const POST: u32 = 3;
        initialize(true);
        let start = buffer();
        assert_eq!(insert(GET, write("/users/:id/:tab?")), 0);
        assert_eq!(parameters(), 2);
        assert_eq!([parameter(0), parameter(1)], [7 << 15 | 2 << 1, 11 << 15 | 3 << 1 | 1]);
        assert_eq!(insert(POST, write("/users")), 2);
        assert_eq!(insert(GET, write("/a/:b(")), -(Reason::UnbalancedParenthesis as i32));
        assert_eq!(position(), 5);

        assert_eq!(find(GET, 8, write("https://localhost/users/a%20b/?tab=1")), 1);
        // SAFETY: the result holds where the path starts and the one value of this route.
        let values = unsafe { core::slice::from_raw_parts(result(), 2) };
        assert_eq!(values, [17, 6 << 15 | 5 << 1 | 1]);
        assert_eq!(find(GET, 0, write("/users/%zz")), -400);
        assert_eq!(find(GET, 0, write("/nothing")), -404);
        assert_eq!(find(HEAD, 0, write("/users")), -405);
        assert!(allows(POST) && !allows(GET));
        assert_eq!(find(GET, 0, write(&"/a".repeat(8193))), -414);
        assert_eq!(buffer(), start);
    }
}

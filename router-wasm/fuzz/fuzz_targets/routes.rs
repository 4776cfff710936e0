//! Runs `program` on arbitrary bytes, with a sanitizer.
#![no_main]

mod expression;
mod model;
mod program;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| program::compare(input));

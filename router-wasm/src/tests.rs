//! Behaviour of the crate through its public interface. `cargo test` runs these tests natively,
//! `wasm-pack test --node` runs them inside WebAssembly.

#[cfg(not(target_arch = "wasm32"))]
pub use core::prelude::v1::test;
#[cfg(target_arch = "wasm32")]
pub use wasm_bindgen_test::wasm_bindgen_test as test;

mod cases;
mod constraints;
#[path = "../fuzz/fuzz_targets/expression.rs"]
mod expression;
mod growth;
mod json;
#[cfg(not(target_arch = "wasm32"))]
mod memory;
#[path = "../fuzz/fuzz_targets/model.rs"]
mod model;
mod paths;
#[path = "../fuzz/fuzz_targets/program.rs"]
mod program;
mod random;
mod rejections;
mod tables;

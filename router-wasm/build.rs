//! Passes linker arguments for the WebAssembly module only, not for its tests.

use std::env;

/// Everything that the target enables by default except `reference-types`: with it, wasm-bindgen
/// adds a table for JavaScript objects, which this module never handles.
const FEATURES: &str =
    "bulk-memory,multivalue,mutable-globals,nontrapping-fptoint,sign-ext,simd128";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        // Matching does not recurse; the default would take 1 MiB of every instance.
        println!("cargo::rustc-link-arg-cdylib=-zstack-size=16384");
        println!("cargo::rustc-link-arg-cdylib=--features={FEATURES}");
        // `core` is compiled with `reference-types`, so the linker would reject the list.
        println!("cargo::rustc-link-arg-cdylib=--no-check-features");
    }
}

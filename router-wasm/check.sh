#!/usr/bin/env bash
# Checks of the crate in continuous integration: format, lint, tests natively and inside WebAssembly,
# the committed module, and the fuzz target. Installs the toolchain where it is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

section() { printf -- '-- %s\n' "$*"; }

section "toolchain"
bash setup-toolchain.sh
eval "$(bash setup-toolchain.sh env)"
# Node of the repository for the tests inside WebAssembly and for the proof.
export PATH="$PWD/../node_modules/.bin:$PATH"

section "format"
cargo fmt --check

section "lint"
cargo clippy --quiet --locked --all-targets --all-features -- -D warnings
# Exports, heap and SIMD exist for this target only.
cargo clippy --quiet --locked --lib --tests --target wasm32-unknown-unknown -- -D warnings

section "tests, natively"
cargo test --quiet --release --locked

section "tests, inside WebAssembly"
wasm-pack test --node --mode no-install -- --locked

section "the committed router.wasm is what the source produces"
bash build.sh --check

section "the committed router.wasm and the native build return the same"
node ../proof/router-native/run.ts --pairs 20000

section "fuzz target"
if cargo fuzz --version >/dev/null 2>&1 && rustup run nightly rustc --version >/dev/null 2>&1; then
  (cd fuzz && cargo +nightly fuzz build --fuzz-dir .)
else
  # Without a nightly compiler the target is built without its sanitizer, which shows that it compiles.
  (cd fuzz && cargo build --quiet)
fi

#!/usr/bin/env bash
# What continuous integration asks of the crate: format, lint, tests, the committed .wasm, that it
# answers as the native build does, and that the fuzz target builds. Installs the wasm32 target where
# it is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

section() { printf -- '-- %s\n' "$*"; }

section "toolchain"
if ! command -v cargo >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends cargo-web rustc-web >/dev/null
fi
bash setup-toolchain.sh

# A machine that has only just got a compiler may lack the formatter and the linter.
if cargo fmt --version >/dev/null 2>&1; then
  section "format"
  cargo fmt --check
else
  echo "cargo fmt is not installed: format not checked"
fi
if cargo clippy --version >/dev/null 2>&1; then
  section "lint"
  cargo clippy --quiet --all-targets -- -D warnings
  # The exports and the allocator exist for this target alone.
  if rustup target list --installed 2>/dev/null | grep -q wasm32-unknown-unknown; then
    cargo clippy --quiet --lib --target wasm32-unknown-unknown -- -D warnings
  fi
else
  echo "cargo clippy is not installed: not linted"
fi

section "tests"
cargo test --quiet --release

section "the committed router.wasm"
bash build.sh --check

section "the committed router.wasm answers as the native build does"
PATH="$PWD/../node_modules/.bin:$PATH" node ../proof/router-native/run.ts --pairs 20000

section "fuzz target"
if cargo fuzz --version >/dev/null 2>&1 && rustup run nightly rustc --version >/dev/null 2>&1; then
  (cd fuzz && cargo +nightly fuzz build --fuzz-dir .)
else
  # Without a nightly compiler the target is built without its sanitizer, which shows that it compiles.
  (cd fuzz && cargo build --quiet)
fi

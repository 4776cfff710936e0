#!/usr/bin/env bash
# Changes the source in small ways, one at a time, and counts how many changes the tests notice.
#
#   bash mutants.sh OUTPUT [SHARD/SHARDS]
#
# OUTPUT gets cargo-mutants' folder `mutants.out`. Needs `cargo install cargo-mutants --locked`. Works on
# a copy. What is compiled for WebAssembly alone cannot be noticed by tests of the native build and is
# left out; `proof/router-native` compares those builds.
set -euo pipefail
crate="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
output="$(realpath "$1")"
shard="${2:-0/1}"

copy="$(mktemp -d)"
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/router-wasm/fuzz" "$copy/test"
cp -r "$crate"/{Cargo.toml,Cargo.lock,src,tests,benches,examples} "$copy/router-wasm/"
cp -r "$crate/fuzz/fuzz_targets" "$copy/router-wasm/fuzz/"
cp -r "$crate/../test/tables" "$copy/test/"

# A mutant that runs for ever, or takes memory for ever, is stopped by what it has used instead of by a
# clock, which says little on a busy machine.
cat >"$copy/limits.sh" <<'LIMITS'
#!/bin/sh
ulimit -t 5
ulimit -v 8000000
exec "$@"
LIMITS
chmod +x "$copy/limits.sh"
export CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="$copy/limits.sh"
export CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_TEST_OPT_LEVEL=1
export RUST_BACKTRACE=0 CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0

cargo mutants --dir "$copy/router-wasm" --in-place --output "$output" \
  --sharding round-robin --shard "$shard" --timeout 600 --build-timeout 600 --no-times --colors never \
  --exclude src/abi.rs --exclude-re 'wasm::' --exclude-re 'lanes::(load|equal)' \
  --exclude-re 'delete ! in lanes' -- --lib --test behaviour

#!/usr/bin/env bash
# Mutation testing: changes the source in one place at a time, and counts the changes that the tests detect.
#
#   bash mutants.sh OUTPUT [SHARD/SHARDS]
#
# Writes the folder `mutants.out` of cargo-mutants to OUTPUT. Requires `cargo install cargo-mutants --locked`.
# Works on a copy. Skips code that only the WebAssembly build contains: the native tests cannot detect its
# mutants, and proof/router-native/mutants-wasm.mjs covers them.
set -euo pipefail
crate="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
output="$(realpath "$1")"
shard="${2:-0/1}"

copy="$(mktemp -d)"
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/router-wasm/fuzz" "$copy/test"
cp -r "$crate"/{Cargo.toml,Cargo.lock,rust-toolchain.toml,build.rs,src,benches,examples} "$copy/router-wasm/"
cp -r "$crate/fuzz/fuzz_targets" "$copy/router-wasm/fuzz/"
cp -r "$crate/../test/tables" "$copy/test/"

# Limits a mutant that never ends, or allocates without end, by what it has used. A timeout would depend on
# how busy the machine is.
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
  --exclude build.rs --exclude src/abi.rs --exclude-re 'wasm::' --exclude-re 'lanes::(load|equal)' \
  --exclude-re 'delete ! in lanes' -- --lib

#!/usr/bin/env bash
# Builds pkg/router.wasm and pkg/BUILD.json, which are committed.
#
#   bash build.sh            rebuilds both
#   bash build.sh --check    builds into a temporary folder, and fails if a committed file differs
#
# The pinned compiler and tools produce the same bytes on every machine and in every folder.
set -euo pipefail

crate="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
wasm_opt="$crate/../node_modules/.bin/wasm-opt"
opt_flags="-lmu -O3 --converge --strip-debug --strip-producers --strip-target-features"

fail() {
  echo "$*" >&2
  exit 1
}

[ -x "$wasm_opt" ] || fail "wasm-opt is not installed. Run npm ci."
bash "$crate/setup-toolchain.sh"
eval "$(bash "$crate/setup-toolchain.sh" env)"
cd "$crate"
pinned=$(sed -n 's/^channel = "\(.*\)"$/\1/p' rust-toolchain.toml)
compiler=$(rustc --version | cut -d' ' -f1,2)
[ "$compiler" = "rustc $pinned" ] || fail "rust-toolchain.toml pins rustc $pinned, got $compiler."

output="$crate/pkg"
if [ "${1:-}" = --check ]; then
  output="$(mktemp -d)"
  trap 'rm -rf "$output"' EXIT
fi

packed="$crate/target/wasm-pack"
wasm-pack --quiet build "$crate" --target web --release --no-typescript --no-pack --mode no-install \
  --out-dir "$packed" -- --locked
# shellcheck disable=SC2086 # the flags are words
"$wasm_opt" $opt_flags "$packed/router_wasm_bg.wasm" -o "$output/router.wasm"

cat >"$output/BUILD.json" <<JSON
{
  "sha256": "$(sha256sum "$output/router.wasm" | cut -d' ' -f1)",
  "bytes": $(wc -c <"$output/router.wasm"),
  "gzipBytes": $(gzip -9nc "$output/router.wasm" | wc -c),
  "rustc": "$compiler",
  "wasmPack": "$(wasm-pack --version)",
  "wasmBindgen": "$(wasm-bindgen --version)",
  "wasmOpt": "$("$wasm_opt" --version)",
  "wasmOptFlags": "$opt_flags"
}
JSON

if [ "${1:-}" = --check ]; then
  for file in router.wasm BUILD.json; do
    cmp "$output/$file" "pkg/$file" ||
      fail "pkg/$file is not what the source produces. Run npm run build:wasm and commit pkg/."
  done
  echo "pkg/router.wasm is what the source produces, byte for byte"
else
  sed -n '3,4p' "$output/BUILD.json"
fi

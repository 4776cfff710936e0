#!/usr/bin/env bash
# Builds pkg/router.wasm and pkg/BUILD.json, which are committed.
#
#   bash build.sh            builds them anew
#   bash build.sh --check    builds in a temporary folder and fails if the committed file differs
#
# The same compiler gives the same bytes on every machine and in every folder. Another compiler does
# not, so with one --check only builds, and says so.
set -euo pipefail

crate="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
wasm_opt="$crate/../node_modules/.bin/wasm-opt"
target=wasm32-unknown-unknown
# A small stack, for the walk does not recurse; the default would be 1 MiB of every instance.
rust_flags="-Ctarget-feature=+simd128 -Cllvm-args=-inline-threshold=50 -Clink-arg=-zstack-size=16384"
rust_flags+=" --remap-path-prefix=$crate=router-wasm"
opt_flags="-lmu -O3 --converge --strip-debug --strip-producers --strip-target-features"

[ -x "$wasm_opt" ] || { echo "wasm-opt is missing: run npm ci first" >&2; exit 1; }
bash "$crate/setup-toolchain.sh" >/dev/null
eval "$(bash "$crate/setup-toolchain.sh" env)"
compiler="$("${RUSTC:-rustc}" -vV)"

output="$crate/pkg"
if [ "${1:-}" = --check ]; then
  output="$(mktemp -d)"
  trap 'rm -rf "$output"' EXIT
fi
mkdir -p "$output"

(
  cd "$crate"
  RUSTFLAGS="$rust_flags" cargo build -q --release --locked --lib --target "$target" \
    --target-dir "$crate/target/wasm"
)
# shellcheck disable=SC2086 # the flags are words
"$wasm_opt" $opt_flags "$crate/target/wasm/$target/release/router_wasm.wasm" -o "$output/router.wasm"

json_text() { printf '%s' "$1" | sed 's/\\/\\\\/g; s/"/\\"/g' | awk '{ printf "%s%s", (NR > 1 ? "\\n" : ""), $0 }'; }
cat >"$output/BUILD.json" <<JSON
{
  "sha256": "$(sha256sum "$output/router.wasm" | cut -d' ' -f1)",
  "bytes": $(wc -c <"$output/router.wasm"),
  "gzipBytes": $(gzip -9nc "$output/router.wasm" | wc -c),
  "rustc": "$(json_text "$compiler")",
  "wasmOpt": "$("$wasm_opt" --version)",
  "rustFlags": "$(json_text "${rust_flags//$crate/.}")",
  "wasmOptFlags": "$opt_flags"
}
JSON

if [ "${1:-}" = --check ]; then
  committed="$(sed -n 's/^  "rustc": "\(.*\)",$/\1/p' "$crate/pkg/BUILD.json")"
  if [ "$committed" != "$(json_text "$compiler")" ]; then
    echo "router.wasm builds, but was committed by another compiler, so the bytes are not compared:"
    printf '%s\n' "$committed"
    exit
  fi
  cmp "$output/router.wasm" "$crate/pkg/router.wasm" || {
    echo "pkg/router.wasm is not what the source gives: run npm run build:wasm and commit it" >&2
    exit 1
  }
  echo "pkg/router.wasm is what the source gives, byte for byte"
else
  sed -n '3,4p' "$output/BUILD.json"
fi

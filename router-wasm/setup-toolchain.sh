#!/usr/bin/env bash
# Installs what the crate is built with: the compiler of rust-toolchain.toml with its WebAssembly target,
# wasm-pack, and the wasm-bindgen that Cargo.lock pins.
#
#   bash setup-toolchain.sh        installs what is missing
#   bash setup-toolchain.sh env    prints the environment for a build, to be read by `eval`
#
# The compiler comes from rustup. Where rustup is missing or cannot download, it comes from Debian's
# packages, which include the source of the standard library; that is compiled for the target once. The
# tools are compiled from crates.io once and kept in the user's cache folder.
set -euo pipefail

crate="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
target=wasm32-unknown-unknown
compiler=$(sed -n 's/^channel = "\(.*\)"$/\1/p' "$crate/rust-toolchain.toml")
wasm_pack=0.15.1
wasm_bindgen=$(awk '/^name = "wasm-bindgen"$/ { getline; gsub(/[^0-9.]/, ""); print; exit }' "$crate/Cargo.lock")
tools="${XDG_CACHE_HOME:-$HOME/.cache}/espalier/router-tools"
# Links to Debian's Rust commands only: all of /usr/bin first on PATH would hide other tools.
debian_bin=/opt/espalier-rust/bin

fail() {
  echo "$*" >&2
  exit 1
}

# Sysroots are checked for the target's standard library, which neither rustup nor Debian installs by default.
rustup_is_ready() {
  local sysroot
  sysroot=$(rustup run "$compiler" rustc --print sysroot 2>/dev/null) &&
    compgen -G "$sysroot/lib/rustlib/$target/lib/libcore-*.rlib" >/dev/null
}

debian_library() { echo "$(/usr/bin/rustc --print sysroot)/lib/rustlib/$target/lib"; }

debian_is_ready() {
  [ -x "$debian_bin/cargo" ] &&
    [ "$(/usr/bin/rustc --version 2>/dev/null | cut -d' ' -f2)" = "$compiler" ] &&
    [ "$(cat "$(debian_library)/built-by" 2>/dev/null)" = "$(/usr/bin/rustc -vV)" ]
}

print_environment() {
  local path="$tools/bin"
  rustup_is_ready || path+=":$debian_bin"
  # Flags from outside would replace those of .cargo/config.toml.
  echo "unset RUSTC RUSTUP_TOOLCHAIN RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS"
  printf 'export PATH=%q:$PATH\n' "$path"
}

install_with_rustup() {
  command -v rustup >/dev/null &&
    timeout 600 rustup toolchain install "$compiler" --profile minimal --component clippy,rustfmt \
      --target "$target" >/dev/null 2>&1 && rustup_is_ready
}

install_from_debian() {
  local command sysroot linker
  command -v apt-get >/dev/null ||
    fail "rustc $compiler with the target $target is not installed, and neither rustup nor apt-get can install it."
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    rustc-web cargo-web rustfmt-web rust-web-clippy rust-web-src lld-22 >/dev/null
  mkdir -p "$debian_bin"
  for command in cargo cargo-clippy cargo-fmt clippy-driver rustc rustdoc rustfmt; do
    ln -sfn "/usr/bin/$command" "$debian_bin/$command"
  done
  [ "$(/usr/bin/rustc --version | cut -d' ' -f2)" = "$compiler" ] ||
    fail "rust-toolchain.toml pins rustc $compiler, Debian installs $(/usr/bin/rustc --version). Install $compiler with rustup, or change the pin and commit a new pkg/."
  # rustc looks for rust-lld in its sysroot, Debian's package puts it elsewhere.
  sysroot=$(/usr/bin/rustc --print sysroot)
  linker="$sysroot/lib/rustlib/$(/usr/bin/rustc -vV | sed -n 's/^host: //p')/bin/rust-lld"
  mkdir -p "$(dirname "$linker")"
  [ -x "$linker" ] || ln -sfn /usr/bin/lld-22 "$linker"
  debian_is_ready || build_standard_library
}

build_standard_library() {
  local folder library
  folder=$(mktemp -d)
  mkdir "$folder/src"
  touch "$folder/src/lib.rs"
  cat >"$folder/Cargo.toml" <<'TOML'
[package]
name = "standard-library"
version = "0.0.0"
edition = "2024"

[profile.release]
opt-level = 3
codegen-units = 1
TOML
  # The bitcode lets crates with `lto = true` use the library. A released compiler accepts -Zbuild-std
  # only with RUSTC_BOOTSTRAP.
  (
    cd "$folder"
    env -u RUSTUP_TOOLCHAIN RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc \
      RUSTFLAGS="-Cembed-bitcode=yes --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src=/cargo" \
      /usr/bin/cargo build -q --release --target "$target" -Zbuild-std=core,alloc,std,panic_abort,test
  )
  library=$(debian_library)
  rm -rf "$library"
  mkdir -p "$library"
  find "$folder/target/$target/release/deps" -name '*.rlib' ! -name 'libstandard_library*' \
    -exec cp {} "$library/" \;
  /usr/bin/rustc -vV >"$library/built-by"
  rm -rf "$folder"
}

tools_are_ready() {
  [ "$(wasm-pack --version 2>/dev/null)" = "wasm-pack $wasm_pack" ] &&
    [ "$(wasm-bindgen --version 2>/dev/null)" = "wasm-bindgen $wasm_bindgen" ] &&
    [ "$(wasm-bindgen-test-runner --version 2>/dev/null)" = "wasm-bindgen-test-runner $wasm_bindgen" ]
}

# Compiles a tool without optimisation, which takes less than half the time and changes no output.
install_tool() {
  local options=(-q --debug --root "$tools" --target-dir "$tools/build" "$@")
  # A registry mirror may lack the newest versions that a tool's lockfile names.
  CARGO_PROFILE_DEV_DEBUG=0 cargo install --locked "${options[@]}" 2>/dev/null ||
    CARGO_PROFILE_DEV_DEBUG=0 cargo install "${options[@]}"
}

if [ "${1:-}" = env ]; then
  print_environment
  exit
fi

rustup_is_ready || install_with_rustup || debian_is_ready || install_from_debian
eval "$(print_environment)"
cd "$crate"
if ! tools_are_ready; then
  echo "Compiling wasm-pack $wasm_pack and wasm-bindgen $wasm_bindgen: about five minutes, once"
  install_tool "wasm-bindgen-cli@$wasm_bindgen" --no-default-features \
    --bin wasm-bindgen --bin wasm-bindgen-test-runner
  install_tool "wasm-pack@$wasm_pack"
  rm -rf "$tools/build"
  tools_are_ready
fi
echo "$(rustc --version), $(wasm-pack --version), $(wasm-bindgen --version)"

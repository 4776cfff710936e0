#!/usr/bin/env bash
# Makes `cargo build --target wasm32-unknown-unknown` work.
#
#   bash setup-toolchain.sh        installs what is missing; does nothing the second time
#   bash setup-toolchain.sh env    prints the environment that the build needs, for `eval`
#
# rustup knows the target, so it is asked first, for the compiler that the committed module was built
# by. Where it cannot download (a machine that reaches package mirrors only), Debian's packages bring a
# compiler together with the source of its standard library, and that is built for the target once.
set -euo pipefail

target=wasm32-unknown-unknown
pinned=1.95.0
debian_rustc=/usr/bin/rustc
# A folder with Debian's cargo and rustc alone: all of /usr/bin first on PATH would hide other tools.
debian_bin=/opt/espalier-rust/bin

has_target() { # <command…>: whether this compiler has a core library for the target
  local library
  library="$("$@" --print sysroot 2>/dev/null)/lib/rustlib/$target/lib"
  compgen -G "$library/libcore-*.rlib" >/dev/null
}

# The toolchain of rustup to use, if one has the target: the pinned one, else the default.
rustup_toolchain() {
  command -v rustup >/dev/null || return 1
  local default
  default="$(rustup default 2>/dev/null | cut -d' ' -f1)"
  for toolchain in "$pinned" "$default"; do
    if has_target rustup run "$toolchain" rustc; then
      echo "$toolchain"
      return
    fi
  done
  return 1
}

print_environment() {
  local toolchain
  if toolchain="$(rustup_toolchain)"; then
    echo "unset RUSTC; export RUSTUP_TOOLCHAIN=$toolchain"
  elif has_target "$debian_rustc"; then
    echo "export RUSTC=$debian_rustc PATH=$debian_bin:\$PATH"
  else
    echo "echo 'no Rust compiler for $target: run router-wasm/setup-toolchain.sh' >&2; exit 1"
  fi
}

install_debian_packages() {
  local packages=(rustc-web cargo-web rust-web-src lld-22) missing=() package
  for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  if [ ${#missing[@]} -gt 0 ]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  fi
  mkdir -p "$debian_bin"
  ln -sfn /usr/bin/cargo "$debian_bin/cargo"
  ln -sfn /usr/bin/rustc "$debian_bin/rustc"
}

link_linker() { # rustc looks for rust-lld in its own folder, Debian's lld is elsewhere
  local sysroot host linker
  sysroot=$("$debian_rustc" --print sysroot)
  host=$("$debian_rustc" -vV | sed -n 's/^host: //p')
  linker="$sysroot/lib/rustlib/$host/bin/rust-lld"
  [ -x "$linker" ] && return
  mkdir -p "$(dirname "$linker")"
  ln -sfn /usr/bin/lld-22 "$linker"
}

build_standard_library() {
  local folder destination
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
  # The bitcode lets crates with `lto = true` use the library. The compiler allows -Zbuild-std in a
  # released version only when told to by RUSTC_BOOTSTRAP.
  (
    cd "$folder"
    env -u RUSTUP_TOOLCHAIN RUSTC_BOOTSTRAP=1 RUSTC="$debian_rustc" \
      RUSTFLAGS="-Cembed-bitcode=yes --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src=/cargo" \
      /usr/bin/cargo build -q --release --target "$target" -Zbuild-std=core,alloc,std,panic_abort
  )
  destination="$("$debian_rustc" --print sysroot)/lib/rustlib/$target/lib"
  mkdir -p "$destination"
  find "$folder/target/$target/release/deps" -name '*.rlib' ! -name 'libstandard_library*' \
    -exec cp {} "$destination/" \;
  rm -rf "$folder"
}

if [ "${1:-}" = env ]; then
  print_environment
  exit
fi
if toolchain="$(rustup_toolchain)" && [ "$toolchain" = "$pinned" ]; then
  echo "rustup has $target for $toolchain"
  exit
fi
if command -v rustup >/dev/null; then
  timeout 300 rustup toolchain install "$pinned" --profile minimal --target "$target" >/dev/null 2>&1 ||
    timeout 300 rustup target add "$target" >/dev/null 2>&1 || true
  if toolchain="$(rustup_toolchain)"; then
    echo "rustup has $target for $toolchain"
    exit
  fi
fi
if ! command -v apt-get >/dev/null; then
  echo "rustup cannot install $target and there is no apt-get: install a compiler with it" >&2
  exit 1
fi
install_debian_packages
link_linker
has_target "$debian_rustc" || build_standard_library
has_target "$debian_rustc"
echo "$("$debian_rustc" --version) has $target"

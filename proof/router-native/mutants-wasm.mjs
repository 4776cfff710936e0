// Mutates the part of the router's source that is compiled only for WebAssembly, one place at a time, and
// counts the mutants for which the module differs from the committed one.
//
//   node proof/router-native/mutants-wasm.mjs OUTPUT.json [--pairs N]
//
// `router-wasm/mutants.sh` does the same for the native build with its tests. Needs cargo-mutants, the
// wasm32 target and `patch`. Works on a copy; mutants that do not build are counted separately.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** First and last line of the code that only the WebAssembly build has. */
const FILES = { "src/abi.rs": [1, 1_000], "src/heap.rs": [12, 92], "src/block.rs": [27, 55] };

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: "string", default: "5000" } },
});
const crate = fileURLToPath(new URL("../../router-wasm/", import.meta.url));
const copy = mkdtempSync(join(tmpdir(), "router-mutants-"));
for (const name of [
  ".cargo",
  "benches",
  "build.rs",
  "Cargo.lock",
  "Cargo.toml",
  "examples",
  "rust-toolchain.toml",
  "src",
]) {
  cpSync(join(crate, name), join(copy, name), { recursive: true });
}
mkdirSync(join(copy, "pkg"));

if (!build() || judge() === "caught")
  throw new Error("The unchanged source differs from the committed module.");
const results = { caught: [], missed: [], unviable: [] };
for (const { name, file, span, diff } of listMutants()) {
  const [first, last] = FILES[file];
  if (span.start.line < first || span.start.line > last) continue;
  patch(diff, []);
  const outcome = build() ? judge() : "unviable";
  patch(diff, ["--reverse"]);
  results[outcome].push(name);
  console.log(`${outcome}  ${name}`);
  writeFileSync(positionals[0], `${JSON.stringify(results, null, 2)}\n`);
}
rmSync(copy, { recursive: true });
const count = (list) => list.length;
console.log(
  `${count(results.caught)} caught, ${count(results.missed)} missed, ` +
    `${count(results.unviable)} unviable`,
);

function listMutants() {
  const files = Object.keys(FILES).flatMap((file) => ["--file", file]);
  const options = ["mutants", "--list", "--json", "--diff", ...files];
  return JSON.parse(execFileSync("cargo", options, { cwd: crate, encoding: "utf8" }));
}

function patch(diff, options) {
  execFileSync("patch", ["--quiet", "--strip=0", ...options], { cwd: copy, input: diff });
}

/** Compiles the module as `router-wasm/build.sh` does, without wasm-bindgen and wasm-opt. */
function build() {
  const target = "wasm32-unknown-unknown";
  const options = ["build", "--quiet", "--release", "--lib", "--target", target];
  const { status } = spawnSync("cargo", options, { cwd: copy });
  if (status !== 0) return false;
  cpSync(join(copy, `target/${target}/release/router_wasm.wasm`), join(copy, "pkg/router.wasm"));
  return true;
}

/** Endless loops and traps count as caught. */
function judge() {
  const script = fileURLToPath(new URL("compare-modules.mjs", import.meta.url));
  const modules = [join(crate, "pkg/router.wasm"), join(copy, "pkg/router.wasm")];
  const run = spawnSync(process.execPath, [script, ...modules, values.pairs], { timeout: 120_000 });
  return run.status === 0 ? "missed" : "caught";
}

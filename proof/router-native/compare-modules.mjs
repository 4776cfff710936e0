// Runs generated programs in two builds of the router's module.
//
//   node proof/router-native/compare-modules.mjs ONE.wasm OTHER.wasm PAIRS
//
// Exits with code 1 at the first program with different results or memory, or that traps in one build.
import { readFileSync } from "node:fs";
import { generatePrograms } from "./programs.mjs";
import { runInWasm } from "./run-wasm.mjs";

const [one, other, pairs] = process.argv.slice(2);
const modules = [one, other].map((file) => new WebAssembly.Module(readFileSync(file)));

for (const calls of generatePrograms(1, Number(pairs), 100)) {
  const [expected, found] = modules.map((module) => JSON.stringify(runInWasm(module, calls)));
  if (expected !== found) process.exit(1);
}

// Runs the same programs in the committed router.wasm and in the native build of the same source,
// and compares every number that they return.
//
//   node proof/router-native.mjs [--pairs N] [--seed S] [--json FILE]
//
// A pair is a set of routes and a request. The native build checks every index, and is the one that
// the tests and the fuzzer run; the WebAssembly build checks none and compares sixteen bytes at
// once. Exit code 1 and the smallest part of a program where they differ. Needs cargo.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { CREATE, encodeProgram, FIND, generatePrograms, INSERT } from "./router/programs.mjs";
import { runInWasm } from "./router/run-wasm.mjs";

const PAIRS_PER_SEED = 20_000;
const REQUESTS_PER_PROGRAM = 100;

const { values } = parseArgs({
  options: {
    pairs: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" },
    json: { type: "string" },
  },
});
const wanted = Number(values.pairs);
const firstSeed = Number(values.seed);
for (const number of [wanted, firstSeed]) {
  if (Number.isSafeInteger(number) && number > 0) continue;
  throw new Error("--pairs and --seed take whole numbers above 0.");
}

const crate = fileURLToPath(new URL("../router-wasm/", import.meta.url));
const build = ["build", "--quiet", "--release", "--locked", "--example", "programs"];
execFileSync("cargo", build, { cwd: crate, stdio: "inherit" });
const native = `${crate}target/release/examples/programs`;
const module = new WebAssembly.Module(readFileSync(`${crate}pkg/router.wasm`));

const totals = { pairs: 0, routeSets: 0, routes: 0, refused: 0, numbers: 0, differences: 0 };
const outcomes = {};
for (let seed = firstSeed; totals.pairs < wanted && totals.differences === 0; seed++) {
  const pairs = Math.min(PAIRS_PER_SEED, wanted - totals.pairs);
  const calls = [...generatePrograms(seed, pairs, REQUESTS_PER_PROGRAM)].flat();
  const { answers } = runInWasm(module, calls);
  compare(seed, calls, answers, runNative(seed, calls));
  totals.pairs += pairs;
  count(calls, answers);
  if (totals.pairs % 200_000 === 0) console.log(`${totals.pairs} pairs, seed ${seed} done`);
}
if (totals.differences > 0) process.exitCode = 1;

console.log(
  `${totals.pairs} pairs of a route set and a request, ${totals.routeSets} route sets, ` +
    `${totals.routes} routes and ${totals.refused} refused patterns, ` +
    `outcomes ${JSON.stringify(outcomes)}: ${totals.numbers} numbers of the WebAssembly build ` +
    `and of the native build, ${totals.differences} differences.`,
);
if (values.json !== undefined) writeResult();

/** What the native build returns for the calls, all numbers in a row. */
function runNative(seed, calls) {
  const input = encodeProgram(calls);
  const { status, stdout, stderr } = spawnSync(native, { input, maxBuffer: 2 ** 30 });
  if (status === 0) return stdout;
  throw new Error(`The native build ended with ${status} at seed ${seed}: ${stderr}`);
}

/** Reports the first call whose answers differ, and the routes of its set. */
function compare(seed, calls, answers, bytes) {
  if (Buffer.from(Int32Array.from(answers.flat()).buffer).equals(bytes)) return;
  totals.differences += 1;
  const words = new Int32Array(new Uint8Array(bytes).buffer);
  let at = 0;
  for (const [index, answer] of answers.entries()) {
    const other = [...words.subarray(at, at + answer.length)];
    at += answer.length;
    if (String(other) === String(answer)) continue;
    const created = calls.findLastIndex((call, i) => i <= index && call.operation === CREATE);
    const routes = calls.slice(created, index).filter((call) => call.operation === INSERT);
    console.error(`The builds differ at seed ${seed}, ignoreTrailingSlash ${calls[created].from}:`);
    for (const call of [...routes, calls[index]]) {
      console.error(call.operation, call.method, call.from, JSON.stringify(String(call.bytes)));
    }
    console.error(`wasm   ${answer}\nnative ${other}`);
    return;
  }
  console.error(`The native build returned ${words.length} numbers, not ${at}, at seed ${seed}.`);
}

function count(calls, answers) {
  for (const [index, { operation }] of calls.entries()) {
    const [answer] = answers[index];
    totals.numbers += answers[index].length;
    if (operation === CREATE) totals.routeSets += 1;
    if (operation === INSERT) totals[answer < 0 ? "refused" : "routes"] += 1;
    if (operation !== FIND) continue;
    const outcome = answer < 0 ? -answer : 200;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
}

function writeResult() {
  const result = {
    machine: { cpu: cpus()[0]?.model, cores: cpus().length, memoryBytes: totalmem() },
    versions: {
      node: process.versions.node,
      v8: process.versions.v8,
      rustc: execFileSync("rustc", ["--version"], { encoding: "utf8" }).trim(),
    },
    firstSeed,
    totals,
    outcomes,
  };
  writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
}

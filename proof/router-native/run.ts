// Runs the same programs in the committed router.wasm and in the native build of the same source, and
// compares every number that they return. A pair is a set of routes and a request. The native build checks
// every index, and is the one that the tests and the fuzzer run; the WebAssembly build checks none and
// compares sixteen bytes at once. The smallest part of a program whose results differ is printed. Needs cargo.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/runner/root.ts";
import { readCount } from "../../scripts/runner/usage.ts";
import { runProof } from "../support/run-proof.ts";
import { CREATE, encodeProgram, FIND, generatePrograms, INSERT } from "./programs.mjs";
import { runInWasm } from "./run-wasm.mjs";

const pairsPerSeed = 20_000;
const requestsPerProgram = 100;
const crate = join(root, "router-wasm");
const native = join(crate, "target/release/examples/programs");

await runProof("router-native", { pairs: "string", seed: "string" }, async (proof, options) => {
  const wanted = readCount("--pairs", options.pairs, proof.isQuick ? 5_000 : 20_000);
  const firstSeed = readCount("--seed", options.seed, 1);
  if (spawnSync("cargo", ["--version"]).error !== undefined) proof.skip("cargo is not installed");
  const build = ["build", "--quiet", "--release", "--locked", "--features", "native"];
  execFileSync("cargo", [...build, "--example", "programs"], { cwd: crate, stdio: "inherit" });
  const rustc = execFileSync("rustc", ["--version"], { cwd: crate, encoding: "utf8" });
  proof.addVersion("rustc", rustc.trim());
  const module = new WebAssembly.Module(readFileSync(join(crate, "pkg/router.wasm")));

  const totals = { routeSets: 0, routes: 0, refused: 0, numbers: 0 };
  const outcomes: Record<string, number> = {};
  const faults: string[] = [];
  let done = 0;
  for (let seed = firstSeed; done < wanted && faults.length === 0; seed++) {
    const pairs = Math.min(pairsPerSeed, wanted - done);
    const calls = [...generatePrograms(seed, pairs, requestsPerProgram)].flat();
    const { answers } = runInWasm(module, calls);
    const difference = findDifference(calls, answers, runNative(seed, calls));
    if (difference !== undefined) faults.push(`seed ${seed}: ${difference}`);
    done += pairs;
    count(calls, answers, totals, outcomes);
    if (done % 200_000 === 0) console.error(`${done} pairs, seed ${seed} done`);
  }
  proof.addDetails({ firstSeed });
  proof.add({
    case: "WebAssembly and native build",
    runtime: "node",
    tried: done,
    unit: "pairs",
    more: { ...totals, ...outcomes },
    faults,
  });
});

/** A call of a program from `generatePrograms`. */
type Call =
  ReturnType<typeof generatePrograms> extends Iterable<readonly (infer One)[]> ? One : never;

/** Returns the numbers of the native build for all calls, concatenated. */
function runNative(seed: number, calls: readonly Call[]): Buffer {
  const input = encodeProgram(calls);
  const { status, stdout, stderr } = spawnSync(native, { input, maxBuffer: 2 ** 30 });
  if (status === 0) return stdout;
  throw new Error(`The native build exited with code ${status} at seed ${seed}: ${stderr}`);
}

/** Describes the first call whose numbers differ, and the routes of its set. */
function findDifference(
  calls: readonly Call[],
  answers: readonly (readonly number[])[],
  bytes: Buffer,
): string | undefined {
  if (Buffer.from(Int32Array.from(answers.flat()).buffer).equals(bytes)) return undefined;
  const words = new Int32Array(new Uint8Array(bytes).buffer);
  let at = 0;
  for (const [index, answer] of answers.entries()) {
    const other = [...words.subarray(at, at + answer.length)];
    at += answer.length;
    if (String(other) === String(answer)) continue;
    const created = calls.findLastIndex((call, i) => i <= index && call.operation === CREATE);
    const routes = calls.slice(created, index).filter((call) => call.operation === INSERT);
    const program = [...routes, ...calls.slice(index, index + 1)].map(
      ({ operation, method, from, bytes: text }) =>
        `${operation} ${method} ${from} ${JSON.stringify(String(text))}`,
    );
    return [
      `ignoreTrailingSlash ${calls[created]?.from}`,
      ...program,
      `wasm   ${answer}`,
      `native ${other}`,
    ].join("\n");
  }
  return `the native build returned ${words.length} numbers, expected ${at}`;
}

function count(
  calls: readonly Call[],
  answers: readonly (readonly number[])[],
  totals: { routeSets: number; routes: number; refused: number; numbers: number },
  outcomes: Record<string, number>,
): void {
  for (const [index, { operation }] of calls.entries()) {
    const answer = answers[index] ?? [];
    const first = answer[0] ?? 0;
    totals.numbers += answer.length;
    if (operation === CREATE) totals.routeSets += 1;
    if (operation === INSERT) totals[first < 0 ? "refused" : "routes"] += 1;
    if (operation !== FIND) continue;
    const status = `status ${first < 0 ? -first : 200}`;
    outcomes[status] = (outcomes[status] ?? 0) + 1;
  }
}

import { readFileSync, writeFileSync } from "node:fs";
import type { Weight } from "./weigh.ts";

const file = new URL("budget.json", import.meta.url);

/** Allowed growth of a bundle beyond its measured size before a test fails. */
const allowance = 1.03;

/** Bytes that script and wasm together may have once gzipped: all, and what is evaluated at start. */
export type Limits = Pick<Weight, "totalGzipBytes" | "startGzipBytes">;

/** The limits of our own entries by name. */
export type Budget = Readonly<Record<string, Limits>>;

/** Returns what is over the limits of its entry, as sentences; empty if nothing is. */
export function overBudget(weight: Weight, budget: Budget): string[] {
  const limits = budget[weight.name];
  if (limits === undefined) {
    return [`"${weight.name}" has no budget. Run: npm run bench -- size --budget`];
  }
  return (["totalGzipBytes", "startGzipBytes"] as const)
    .filter((name) => weight[name] > limits[name])
    .map((name) => `"${weight.name}" has ${weight[name]} ${name}, its budget is ${limits[name]}.`);
}

export function readBudget(): Budget {
  return JSON.parse(readFileSync(file, "utf8")) as Budget; // written below
}

/** Sets the measured sizes plus 3 % as the new budget of Espalier's entries. */
export function writeBudget(weights: readonly Weight[]): void {
  const limit = (bytes: number): number => Math.ceil(bytes * allowance);
  const own = weights.filter(({ name }) => name.startsWith("espalier"));
  const budget = Object.fromEntries(
    own.map(({ name, totalGzipBytes, startGzipBytes }) => [
      name,
      { totalGzipBytes: limit(totalGzipBytes), startGzipBytes: limit(startGzipBytes) },
    ]),
  );
  writeFileSync(file, `${JSON.stringify(budget, null, 2)}\n`);
}

import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("budget.json", import.meta.url);

/** How much larger than when it was measured a bundle may become before a test fails. */
const allowance = 1.03;

/** Bytes that script and wasm together may have once gzipped, by the name of the entry. */
export type Budget = Readonly<Record<string, number>>;

export function readBudget(): Budget {
  return JSON.parse(readFileSync(file, "utf8")) as Budget; // written below
}

/** Makes what was measured, and 3 %, the new budget of our own entries. */
export function writeBudget(
  weights: readonly { readonly name: string; readonly totalGzipBytes: number }[],
): void {
  const own = weights.filter(({ name }) => name.startsWith("espalier"));
  const budget = Object.fromEntries(
    own.map(({ name, totalGzipBytes }) => [name, Math.ceil(totalGzipBytes * allowance)]),
  );
  writeFileSync(file, `${JSON.stringify(budget, null, 2)}\n`);
}

import type { Result, Row } from "./result.ts";

/** Prints a run as one table per case, fastest router first, and the routers that were not measured. */
export function printResult(result: Result): void {
  const { machine, versions } = result;
  const load = `load ${machine.loadBefore} before, ${machine.loadAfter} after`;
  console.log(`${machine.processor}, ${machine.processors} processors, ${load}`);
  console.log(`Node ${versions.node} (V8 ${versions.v8}), workerd ${versions.workerd}`);
  const cases = new Set(result.rows.map((row) => `${row.case} in ${row.runtime}`));
  for (const title of cases) {
    const rows = result.rows.filter((row) => `${row.case} in ${row.runtime}` === title);
    printCase(title, rows);
    for (const entry of result.shortcomings) {
      if (`${entry.case} in ${entry.runtime}` !== title) continue;
      const verb = entry.measured ? "is measured without its wrong results" : "is not measured";
      console.log(`  ${entry.subject} ${verb}: ${entry.reason}`);
    }
  }
  console.log("\nEspalier against Hono's default router, and against the fastest of all peers:");
  for (const entry of result.comparisons) {
    const hono = formatRatio(entry.againstHono);
    const fastest = `${formatRatio(entry.againstFastestPeer)} (${entry.fastestPeer})`;
    console.log(
      `  ${`${entry.case} in ${entry.runtime}`.padEnd(56)} ${hono.padStart(9)}  ${fastest}`,
    );
  }
  for (const reason of result.skipped) console.log(`skipped ${reason}`);
}

function printCase(title: string, rows: readonly Row[]): void {
  console.log(`\n${title}`);
  for (const row of rows.toSorted((a, b) => a.value - b.value)) {
    const value = `${format(row.value)} ${row.unit}`.padStart(14);
    const range = row.low === row.high ? "" : `${format(row.low)} - ${format(row.high)}`;
    const ratio = formatRatio(row.ratio);
    console.log(`  ${row.subject.padEnd(24)} ${value}  ${range.padEnd(22)} ${ratio.padStart(8)}`);
  }
}

function formatRatio(ratio: number | undefined): string {
  return ratio === undefined ? "-" : `${ratio.toFixed(2)}x`;
}

function format(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString("en");
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

import { RunClock, writeResult } from "../../scripts/runner/result.ts";
import { findBenchmark } from "../benchmarks.ts";
import type { Report, Row, Shortcoming } from "./row.ts";
import { describeAllVersions } from "./versions.ts";

/** Names of Espalier and of the reference of all ratios. */
export const ours = "Espalier";
export const baseline = "Hono";

/** Collects the measurements of a run, prints them, and optionally writes them to a file. */
export class ReportBuilder {
  readonly #clock: RunClock;
  readonly #rows: Row[] = [];
  readonly #shortcomings: Shortcoming[] = [];
  readonly #skipped: string[] = [];

  /** @param name as in `benchmarks/benchmarks.ts` */
  constructor(name: string, quick: boolean) {
    this.#clock = new RunClock(findBenchmark(name), quick);
  }

  add(rows: readonly Row[]): void {
    this.#rows.push(...rows);
  }

  /** @throws if Espalier could not be measured, which makes the comparison meaningless */
  addShortcoming(shortcoming: Shortcoming): void {
    const { case: name, runtime, subject, reason } = shortcoming;
    if (subject === ours) throw new Error(`${name} in ${runtime}: ${subject}: ${reason}`);
    this.#shortcomings.push({ ...shortcoming, reason: reason.slice(0, 300) });
  }

  skip(reason: string): void {
    this.#skipped.push(reason);
  }

  /** Prints one table per case, best subject first, and writes the same as JSON. */
  finish(jsonFile: string | undefined, best: "low" | "high" = "low"): Report {
    const report: Report = {
      ...this.#clock.describe(describeAllVersions()),
      rows: this.#rows,
      shortcomings: this.#shortcomings,
      skipped: this.#skipped,
    };
    printReport(report, best);
    writeResult(jsonFile, report);
    return report;
  }
}

function printReport(report: Report, best: "low" | "high"): void {
  const { machine } = report;
  const load = `load ${machine.loadBefore} before, ${machine.loadAfter} after`;
  console.log(`${machine.processor}, ${machine.processors} processors, ${load}`);
  for (const title of new Set(report.rows.map(titleOf))) {
    const rows = report.rows.filter((row) => titleOf(row) === title);
    console.log(`\n${title}`);
    const sign = best === "low" ? 1 : -1;
    for (const row of rows.toSorted((a, b) => sign * (a.value - b.value))) printRow(row);
    for (const shortcoming of report.shortcomings) {
      if (titleOf(shortcoming) !== title) continue;
      console.log(`  ${shortcoming.subject} is not measured: ${shortcoming.reason}`);
    }
  }
  for (const reason of report.skipped) console.log(`skipped ${reason}`);
}

function printRow({ subject, value, unit, low, high, ratio, more = {} }: Row): void {
  const number = `${format(value)} ${unit}`.padStart(16);
  const range = low === high ? "" : `${format(low)} - ${format(high)}`;
  const times = ratio === undefined ? "-" : `${ratio.toFixed(2)}x`;
  const rest = Object.entries(more).flatMap(([name, found]) => {
    if (/(?:Low|High)$/.test(name)) return [];
    const [least, most] = [more[`${name}Low`], more[`${name}High`]];
    if (least === undefined || most === undefined) return `${name} ${format(found)}`;
    const isNone = name === "behind" && least <= 0;
    return `${name} ${isNone ? "none" : format(found)} (${format(least)} - ${format(most)})`;
  });
  const line = `${subject.padEnd(22)} ${number}  ${range.padEnd(22)} ${times.padStart(8)}`;
  console.log(`  ${line}  ${rest.join(", ")}`);
}

function titleOf({ case: name, runtime }: { case: string; runtime: string }): string {
  return `${name} in ${runtime}`;
}

function format(value: number): string {
  const size = Math.abs(value);
  if (size >= 1_000) return Math.round(value).toLocaleString("en");
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

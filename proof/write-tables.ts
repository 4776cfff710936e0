// Writes the tables of docs/reliability.md from the committed results, so that no number is typed by hand.
// --check only reports whether the page is up to date.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeTables } from "../scripts/runner/marked-tables.ts";
import type { ResultHeader } from "../scripts/runner/result.ts";
import { type ResultFile, readResults } from "../scripts/runner/result-files.ts";
import {
  describeBuildOf,
  describeDuration,
  describeInputs,
  describeVerdict,
} from "../scripts/runner/result-texts.ts";
import { root } from "../scripts/runner/root.ts";
import type { Summary } from "./mutation/summarise.ts";
import { proofs } from "./proofs.ts";

type MutationArea = ResultHeader & Summary;

const page = "docs/reliability.md";
/** A cell with more counts cannot be read. */
const mostCounts = 24;
const largestCounts = 6;
const files = readResults("proof/results");

if (!writeTables(page, writeTable, process.argv.includes("--check"))) {
  if (process.argv.includes("--check")) {
    console.error(`${page} differs from the results: npm run proof -- tables`);
    process.exitCode = 1;
  }
}

/** Returns the overview for `proofs`, else the rows of the proof of that name. */
function writeTable(name: string): string {
  if (name === "proofs") return overview();
  if (name === "mutation-areas") return mutationAreas();
  const own = files.filter(({ result }) => result.name === name);
  if (proofs.every((proof) => proof.name !== name)) throw new Error(`Unknown proof "${name}".`);
  return own.length === 0 ? "Not recorded yet." : rowsOf(own);
}

/** One line for each result, in the order of the list of proofs. */
function overview(): string {
  const lines = proofs.flatMap(({ name }) => {
    const own = files.filter(({ result }) => result.name === name);
    if (own.length === 0) return [`| ${name} | | | | | | not recorded |`];
    return own.map(({ result }) => {
      const runtimes = [...new Set(result.rows.map(({ runtime }) => runtime))];
      const cells = [
        `[${name}](#${name})${result.quick ? ", short form" : ""}`,
        runtimes.join("; "),
        describeInputs(result),
        describeDuration(result.durationSeconds),
        result.date.slice(0, 10),
        `\`${describeBuildOf(result)}\``,
        describeVerdict(result),
      ];
      return `| ${cells.join(" | ")} |`;
    });
  });
  return [
    "| proof | on | tried | duration | date | build | result |",
    "| --- | --- | ---: | ---: | --- | --- | --- |",
    ...lines,
  ].join("\n");
}

/** One line for each area of the last complete runs of the mutation tests. */
function mutationAreas(): string {
  const folder = join(root, "proof/mutation/results");
  const lines = readdirSync(folder).map((file) => {
    const area: MutationArea = JSON.parse(readFileSync(join(folder, file), "utf8"));
    const cells = [
      area.area,
      number(area.mutants),
      number(area.killed + area.timeout),
      `${area.score.toFixed(1)} %`,
      `${area.scoreOfNotEquivalent.toFixed(1)} %`,
      area.date.slice(0, 10),
      `\`${describeBuildOf(area)}\``,
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| area | mutants | killed | share | without equivalent mutants | date | build |",
    "| --- | ---: | ---: | ---: | ---: | --- | --- |",
    ...lines,
  ].join("\n");
}

/** Every case of some results, with what was counted or measured in it. */
function rowsOf(own: readonly ResultFile[]): string {
  const lines = own.flatMap(({ result }) =>
    result.rows.map(({ case: title, runtime, value, unit, tried = value, more = {}, faults }) => {
      const measured = value === tried ? [] : [`${number(value)} ${unit}`];
      const counts = countsOf(more);
      const cells = [
        title,
        runtime,
        `${number(tried)}${value === tried && unit !== "inputs" ? ` ${unit}` : ""}`,
        [...measured, ...counts].join(", "),
        String(faults?.length ?? 0),
      ];
      return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
    }),
  );
  return [
    "| case | on | tried | counted | faults |",
    "| --- | --- | ---: | --- | ---: |",
    ...lines,
  ].join("\n");
}

/** The counts of a case; of more than {@link mostCounts} the largest. The result file has all. */
function countsOf(more: Readonly<Record<string, number>>): string[] {
  const write = ([name, count]: [string, number]): string => `${words(name)}: ${number(count)}`;
  const entries = Object.entries(more);
  if (entries.length <= mostCounts) return entries.map(write);
  const largest = entries.toSorted(([, one], [, other]) => other - one).slice(0, largestCounts);
  return [...largest.map(write), `and ${entries.length - largestCounts} smaller ones`];
}

function number(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: 2 });
}

/** Words of a name: `jobsLost` is `jobs lost`, `heapMiB` is `heap MiB`. Leaves names with other characters. */
function words(name: string): string {
  if (!/^[a-z]+([A-Z][a-z0-9]*)+$/.test(name)) return name;
  const parts = name.match(/MiB|[A-Z]?[a-z]+|\d+|[A-Z]/g) ?? [];
  return parts.map((part) => (part === "MiB" ? part : part.toLowerCase())).join(" ");
}

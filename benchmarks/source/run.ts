import { readOptions, reportUsage } from "../../scripts/runner/usage.ts";
import { createImportGraph, findCycles } from "../../scripts/source/import-graph.ts";
import { readSourceFiles } from "../../scripts/source/source-files.ts";
import { countWording } from "../../scripts/source/wording.ts";
import { ReportBuilder } from "../support/report.ts";
import { roundNumber } from "../support/round-number.ts";
import { measureRequests } from "./measure-requests.ts";

/**
 * Measures the readability of the sources: wordings to replace, the files and functions that a request
 * calls, the largest cycle of imports, and the length of files. `--list` prints the counted items.
 */
const options = await reportUsage(() => readOptions(process.argv.slice(2), { list: "boolean" }));
const report = new ReportBuilder("source", options.quick);
const lists: (readonly [title: string, lines: readonly string[]])[] = [];

interface Measured {
  readonly case: string;
  readonly subject: string;
  readonly value: number;
  readonly unit: string;
  readonly more?: Readonly<Record<string, number>>;
}

function add({ value, ...measured }: Measured): void {
  const rounded = roundNumber(value);
  const range = { value: rounded, low: rounded, high: rounded, ratio: undefined };
  report.add([{ runtime: "node", ...measured, ...range }]);
}

for (const folder of ["src", "router-wasm/src"]) {
  const { hits, lines, hitsPerThousandLines } = countWording([folder]);
  add({
    case: "wordings to replace",
    subject: folder,
    value: hitsPerThousandLines,
    unit: "of 1,000 lines",
    more: { hits: hits.length, lines },
  });
  const listed = hits.map(({ place, text, instead }) => `${place}: ${text} (${instead})`);
  lists.push([`wordings to replace in ${folder}`, listed]);
}

for (const [name, files] of Object.entries(measureRequests())) {
  const sum = (member: "functions" | "calls"): number =>
    files.reduce((total, file) => total + file[member], 0);
  const more = { functions: sum("functions"), calls: sum("calls") };
  add({
    case: "files that a warm request calls",
    subject: name,
    value: files.length,
    unit: "files",
    more,
  });
  const listed = files.map(
    (file) => `${file.name}: ${file.functions} functions, ${file.calls} calls`,
  );
  lists.push([`files that ${name} calls`, listed]);
}

const files = readSourceFiles();
for (const [subject, kinds] of [
  ["values", ["value", "lazy"]],
  ["values and types", ["value", "type"]],
] as const) {
  const cycles = findCycles(createImportGraph(files, kinds));
  const largest = cycles[0] ?? [];
  const more = { cycles: cycles.length };
  add({ case: "largest cycle of imports", subject, value: largest.length, unit: "files", more });
  lists.push([`largest cycle of imports of ${subject}`, largest]);
}

const byLength = files.toSorted((a, b) => b.lines - a.lines);
for (const [subject, file] of [
  ["longest", byLength.at(0)],
  ["median", byLength.at(byLength.length >> 1)],
] as const) {
  add({ case: "lines of a file", subject, value: file?.lines ?? 0, unit: "lines" });
}
lists.push([
  "longest files",
  byLength.slice(0, 20).map(({ name, lines }) => `${name}: ${lines} lines`),
]);

report.finish(options.json);
for (const [title, lines] of options.list ? lists : []) {
  console.log(`\n${title}:`);
  for (const line of lines) console.log(`  ${line}`);
}

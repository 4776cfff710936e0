// Writes the tables of `docs/performance.md`, `docs/scale.md` and `README.md` from the committed results in
// `results`, so that no number is typed by hand. `--check` only reports whether the pages are up to date.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describeBuildOf } from "../scripts/runner/result-texts.ts";
import { readGoals } from "./goals.ts";
import "./scale/write-tables.ts";
import "./write-summary.ts";
import { responseAloneName } from "./application/subjects/subject.ts";
import type { Report, Row } from "./support/row.ts";

/** Subjects that are not frameworks: the baseline, and the response alone. */
const notCompared = new Set(["bare", responseAloneName]);

const page = new URL("../docs/performance.md", import.meta.url);
const text = readFileSync(page, "utf8");
const written = text.replace(
  /(<!-- table: ([\w-]+) -->\n)[\s\S]*?(<!-- end -->)/g,
  (_, start: string, name: string, end: string) => `${start}\n${table(name)}\n\n${end}`,
);
if (!process.argv.includes("--check")) writeFileSync(page, written);
else if (written !== text) {
  console.error("docs/performance.md differs from the results: npm run bench -- tables");
  process.exitCode = 1;
}

/** Returns the table for a marker: `application-node`, `start-node` for one runtime of a file, or `goals`. */
function table(name: string): string {
  if (name === "goals") return goals();
  const report = readReport(name) ?? readReport(name.slice(0, name.lastIndexOf("-")));
  if (report === undefined) return "Not measured yet.";
  if (name === "memory") return `${byRuntime(report.rows)}\n\n${machine(report)}`;
  const runtime = name.slice(name.lastIndexOf("-") + 1);
  const ofRuntime = report.rows.filter((row) => row.runtime === runtime);
  const rows = ofRuntime.length > 0 ? ofRuntime : report.rows;
  const isList = new Set(rows.map((row) => row.case)).size === 1;
  return `${isList ? list(rows) : matrix(rows)}\n\n${machine(report)}`;
}

/** Returns the table of goals, with what the results of the other tables have for each. */
function goals(): string {
  const lines = readGoals(readReport).map(({ title, goal, reached, isMet }) => {
    return `| ${title} | ${goal} | ${isMet ? `**${reached}**` : reached} |`;
  });
  return ["| | goal | reached |", "| --- | ---: | ---: |", ...lines].join("\n");
}

/** Returns a table with a row per case and a column per subject, the best of a row in bold. */
function matrix(rows: readonly Row[]): string {
  const subjects = [...new Set(rows.map((row) => row.subject))]
    .filter((name) => name !== "bare")
    .toSorted((a, b) => rank(b) - rank(a));
  const cases = [...new Set(rows.map((row) => row.case))];
  const unit = [...new Set(rows.map((row) => row.unit))].join(", ");
  const lines = cases.map((title) => {
    const ofCase = rows.filter((row) => row.case === title);
    const best = bestOf(ofCase.filter(({ subject }) => !notCompared.has(subject)));
    const cells = subjects.map((subject) => {
      const row = ofCase.find((one) => one.subject === subject);
      if (row === undefined) return "–";
      return row === best || isLevel(row) ? `**${cell(row)}**` : cell(row);
    });
    return `| ${title} | ${cells.join(" | ")} |`;
  });
  const header = `| ${unit} | ${subjects.join(" | ")} |`;
  const rule = `| --- |${" ---: |".repeat(subjects.length)}`;
  return [header, rule, ...lines].join("\n");
}

/** Returns a table of one subject with a row per application and a column per runtime. */
function byRuntime(rows: readonly Row[]): string {
  const runtimes = [...new Set(rows.map((row) => row.runtime))];
  const applications = Map.groupBy(rows, (row) => row.case.split(",")[0]);
  const lines = [...applications].map(([application, ofApplication]) => {
    const cells = runtimes.map((runtime) => {
      const row = ofApplication.find((one) => one.runtime === runtime);
      return row === undefined ? "–" : cell(row);
    });
    return `| ${application} | ${cells.join(" | ")} |`;
  });
  return [
    `| ${rows[0]?.unit} | ${runtimes.join(" | ")} |`,
    `| --- |${" ---: |".repeat(runtimes.length)}`,
    ...lines,
  ].join("\n");
}

/** Sorts Espalier first, followed by its response alone. */
function rank(subject: string): number {
  return subject === "Espalier" ? 2 : Number(subject === responseAloneName);
}

/** One case only: a line for each subject, with what a bundle evaluates at start where that was measured. */
function list(rows: readonly Row[]): string {
  const unit = rows[0]?.unit;
  if (rows.every(({ more }) => more?.["startGzipBytes"] === undefined)) {
    const lines = rows.map((row) => `| ${row.subject} | ${cell(row)} |`);
    return [`| | ${unit} |`, "| --- | ---: |", ...lines].join("\n");
  }
  const lines = rows.map((row) => {
    const atStart = row.more?.["startGzipBytes"]?.toLocaleString("en") ?? "–";
    return `| ${row.subject} | ${cell(row)} | ${atStart} |`;
  });
  return [`| | ${unit} | at start |`, "| --- | ---: | ---: |", ...lines].join("\n");
}

function bestOf(rows: readonly Row[]): Row | undefined {
  if (rows.length < 2) return undefined;
  const isMoreBetter = rows[0]?.unit.endsWith("/s") === true;
  return rows.toSorted((a, b) => (isMoreBetter ? b.value - a.value : a.value - b.value))[0];
}

/** Returns whether the measurement shows no difference between a framework and the best one. */
function isLevel({ more }: Row): boolean {
  return (more?.["behindLow"] ?? Infinity) <= 0;
}

function cell({ value, more }: Row): string {
  const rounded = Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
  const { p99Ms, cpuMicros } = more ?? {};
  const details = [
    ...(p99Ms === undefined ? [] : [`${p99Ms.toPrecision(3)} ms`]),
    ...(cpuMicros === undefined ? [] : [`${cpuMicros.toPrecision(3)} µs`]),
  ].join(", ");
  const number = rounded.toLocaleString("en") + spreadOf(more);
  return number + (details === "" ? "" : ` (${details})`);
}

/** Returns half the interval of a median, such as ` ± 300`; nothing if it was not measured. */
function spreadOf({ medianLow, medianHigh }: Row["more"] = {}): string {
  if (medianLow === undefined || medianHigh === undefined) return "";
  const half = Number(((medianHigh - medianLow) / 2).toPrecision(2));
  return ` ± ${half.toLocaleString("en")}`;
}

function machine(report: Report): string {
  const { processor, processors, loadBefore, loadAfter } = report.machine;
  const build = `Build \`${describeBuildOf(report)}\` of ${report.date.slice(0, 10)}`;
  return `${build}; ${processor}, ${processors} processors; load ${loadBefore} before the run, ${loadAfter} after.`;
}

function readReport(name: string): Report | undefined {
  const file = new URL(`./results/${name}.json`, import.meta.url);
  if (!existsSync(file)) return undefined;
  return JSON.parse(readFileSync(file, "utf8")) as Report; // written by --json
}

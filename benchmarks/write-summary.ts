// Writes the table of measurements in `README.md` from the committed results. With `--check` it only reports
// whether the table is up to date.
import { readFileSync, writeFileSync } from "node:fs";
import type { Report, Row } from "./support/row.ts";

interface Line {
  readonly title: string;
  readonly results: string;
  readonly case: string;
  readonly runtime: string;
  /** Subject of each column, as the results name it; a column without one shows a dash. */
  readonly subjects: Readonly<Record<string, string>>;
  readonly format: (row: Row) => string;
}

const columns = ["Espalier", "Hono", "NestJS", "AdonisJS"];
const frameworks = {
  Espalier: "Espalier",
  Hono: "Hono",
  NestJS: "NestJS on Fastify",
  AdonisJS: "AdonisJS",
};
const perSecond = ({ value }: Row): string => `${value.toLocaleString("en")} req/s`;
const kilobytes = ({ value }: Row): string => `${Math.round(value / 1_000)} kB`;
const milliseconds = ({ value }: Row): string =>
  `${Number(value.toPrecision(value < 100 ? 2 : 3))} ms`;
const size = { results: "size", case: "size", runtime: "workerd", format: kilobytes };
const sockets = (runtime: string) =>
  ({ results: `sockets-${runtime}`, runtime, subjects: frameworks, format: perSecond }) as const;
const start = {
  results: "start",
  case: "10 routes, both",
  subjects: frameworks,
  format: milliseconds,
};

const lines: readonly Line[] = [
  {
    ...size,
    title: "Worker with one route, gzipped",
    subjects: { Espalier: "espalier, hello", Hono: "Hono, hello" },
  },
  {
    ...size,
    title: "The same with `espalier/core`",
    subjects: { Espalier: "espalier/core, hello", Hono: "Hono (tiny), hello" },
  },
  { ...sockets("node"), title: "Text response on Node", case: "hello" },
  { ...sockets("node"), title: "Validated JSON body on Node", case: "echo" },
  { ...sockets("deno"), title: "Text response on Deno", case: "hello" },
  { ...sockets("bun"), title: "Text response on Bun", case: "hello" },
  { ...start, title: "Cold start on Workers (workerd)", runtime: "workerd" },
  { ...start, title: "Cold start on Node", runtime: "node" },
];

const page = new URL("../README.md", import.meta.url);
const text = readFileSync(page, "utf8");
const written = text.replace(
  /(<!-- table: summary -->\n)[\s\S]*?(<!-- end -->)/,
  (_, begin: string, end: string) => `${begin}\n${table()}\n\n${end}`,
);
if (!process.argv.includes("--check")) writeFileSync(page, written);
else if (written !== text) {
  console.error("README.md differs from the results: npm run bench -- tables");
  process.exitCode = 1;
}

function table(): string {
  const head = [`| | ${columns.join(" | ")} |`, `| --- |${" ---: |".repeat(columns.length)}`];
  const body = lines.map((line) => {
    const { rows } = readReport(line.results);
    const cells = columns.map((column) => {
      const row = rows.find(
        (one) =>
          one.case === line.case &&
          one.runtime === line.runtime &&
          one.subject === line.subjects[column],
      );
      return row === undefined ? "–" : line.format(row);
    });
    return `| ${line.title} | ${cells.join(" | ")} |`;
  });
  return [...head, ...body].join("\n");
}

function readReport(name: string): Report {
  const file = new URL(`./results/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Report; // written by --json
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { drawBars, type Panel, type Scale } from "../support/draw-bars.ts";
import type { Report, Row } from "../support/row.ts";

/** Draws the committed results into `docs/charts`; skips missing results. */
const folder = new URL("../../docs/charts/", import.meta.url);
mkdirSync(folder, { recursive: true });

const names: Readonly<Record<string, string>> = {
  node: "Node",
  deno: "Deno",
  bun: "Bun",
  workerd: "workerd",
};

for (const [runtime, name] of Object.entries(names)) {
  draw(`application-${runtime}`, readReport(`application-${runtime}`), runtime, {
    heading: `Overhead of a framework per request in ${name}`,
    note: "In process, compared with a handler without a framework; nanoseconds, less is better.",
    scale: { unit: "ns" },
    isShown: ({ subject }) => subject !== "bare" && subject !== "its response alone",
  });
  draw(`sockets-${runtime}`, readReport(`sockets-${runtime}`), runtime, {
    heading: `Requests per second on one core in ${name}`,
    note: "Over 32 connections, with a processor for the server alone; more is better.",
    scale: { unit: "req/s", isMoreBetter: true },
    isShown: () => true,
  });
  draw(`start-${runtime}`, readReport("start"), runtime, {
    heading: `Cold start in ${name}: from evaluating the modules to the first response`,
    note: "A fresh process or isolate; milliseconds, less is better.",
    scale: { unit: "ms" },
    isShown: (row) => row.case.endsWith(", both"),
  });
}
draw("scale", readReport("scale"), "node", {
  heading: "Requests per second by number of routes in Node",
  note: "In process, routes with a parameter; more is better.",
  scale: { unit: "req/s", isMoreBetter: true },
  isShown: () => true,
});
draw("size", readReport("size"), "workerd", {
  heading: "Size of a Worker",
  note: "Script and wasm, minified and gzipped; bytes, less is better.",
  scale: { unit: "B", cutAt: Infinity },
  isShown: () => true,
});

interface Chart {
  readonly heading: string;
  readonly note: string;
  readonly scale: Scale;
  readonly isShown: (row: Row) => boolean;
}

/** Returns one panel for each case of a runtime. */
function draw(file: string, report: Report | undefined, runtime: string, chart: Chart): void {
  const rows = report?.rows.filter((row) => row.runtime === runtime && chart.isShown(row)) ?? [];
  if (rows.length === 0) return;
  const panels = [...new Set(rows.map((row) => row.case))].map(
    (title): Panel => ({
      title,
      bars: rows
        .filter((row) => row.case === title)
        .map(({ subject, value }) => ({
          label: subject,
          value,
          own: subject.toLowerCase().startsWith("espalier"),
        })),
    }),
  );
  const svg = drawBars(chart.heading, chart.note, panels, chart.scale);
  writeFileSync(new URL(`${file}.svg`, folder), svg);
}

function readReport(name: string): Report | undefined {
  const file = new URL(`../results/${name}.json`, import.meta.url);
  if (!existsSync(file)) return undefined;
  return JSON.parse(readFileSync(file, "utf8")) as Report; // written by --json
}

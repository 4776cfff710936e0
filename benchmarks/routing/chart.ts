import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { drawBars } from "../support/draw-bars.ts";
import type { Result } from "./result.ts";
import { ours } from "./results.ts";

/** Draws the committed results: `docs/charts/routing-<runtime>.svg`, one panel per table. */
const tables = ["github-v3", "github-rest", "cloudflare", "static", "hono"];
const folder = new URL("../../docs/charts/", import.meta.url);
mkdirSync(folder, { recursive: true });

for (const [runtime, name] of [
  ["node", "Node"],
  ["workerd", "workerd"],
] as const) {
  const file = new URL(`../results/routing-${runtime}.json`, import.meta.url);
  if (!existsSync(file)) continue;
  const { rows, versions } = JSON.parse(readFileSync(file, "utf8")) as Result; // written by --json
  const panels = tables
    .map((table) => ({
      title: table,
      bars: rows
        .filter((row) => row.case === table)
        .map(({ subject, value }) => ({ label: subject, value, own: subject === ours })),
    }))
    .filter(({ bars }) => bars.length > 0);
  const heading = `Routing one request in ${name} ${versions[runtime]}`;
  const note = "From URL to route and decoded parameters; nanoseconds, less is better.";
  writeFileSync(new URL(`routing-${runtime}.svg`, folder), drawBars(heading, note, panels));
}

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../runner/root.ts";
import { drawDiagram } from "./draw.ts";
import { parseDiagram } from "./parse.ts";

const folder = join(root, "docs/diagrams");

/** Names of the diagrams, without their extension. */
export function diagramNames(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".txt"))
    .map((name) => name.slice(0, -".txt".length));
}

/** Draws `docs/diagrams/<name>.txt` and returns the SVG. */
export function drawByName(name: string): string {
  return drawDiagram(parseDiagram(readFileSync(join(folder, `${name}.txt`), "utf8")));
}

/** Writes every diagram beside its text: `node scripts/diagrams/diagrams.ts`. */
if (import.meta.main) {
  for (const name of diagramNames()) writeFileSync(join(folder, `${name}.svg`), drawByName(name));
}

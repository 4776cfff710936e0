import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { diagramNames, drawByName } from "../../scripts/diagrams/diagrams.ts";
import { drawDiagram } from "../../scripts/diagrams/draw.ts";
import { parseDiagram } from "../../scripts/diagrams/parse.ts";
import { root } from "../support/bundle.ts";
import { guidePages } from "./code-blocks.ts";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const guide = guidePages.map(read).join("\n");

describe.each(diagramNames())("the diagram %s", (name) => {
  test("is drawn as its text says; `node scripts/diagrams/diagrams.ts` writes it", () => {
    expect(read(`docs/diagrams/${name}.svg`)).toBe(drawByName(name));
  });

  test("is in the guide, with its description", () => {
    const { description } = parseDiagram(read(`docs/diagrams/${name}.txt`));
    expect(guide).toContain(`![${description}](../diagrams/${name}.svg)`);
  });

  test("has texts inside its picture", () => {
    const svg = read(`docs/diagrams/${name}.svg`);
    const [, width = ""] = /viewBox="0 0 (\d+) /.exec(svg) ?? [];
    // A telephone is at least 360 pixels wide, and the text must not become smaller than 9 of them.
    expect(Number(width)).toBeLessThanOrEqual(480);
    const places = [
      ...svg.matchAll(/<(?:rect|text)[^>]* x="([\d.]+)"(?:[^>]* width="([\d.]+)")?/g),
    ];
    expect(places.length).toBeGreaterThan(5);
    for (const [, x = "", size = "0"] of places) {
      expect(Number(x) + Number(size)).toBeLessThanOrEqual(Number(width));
    }
  });
});

test("a line that is not understood is an error", () => {
  expect(() => parseDiagram("title: a\ndescription: b\nstep a")).toThrow(
    'The line "step a" of a diagram cannot be parsed.',
  );
  expect(() => parseDiagram("step: a")).toThrow("must have a title and a description");
  const unknown = parseDiagram("title: a\ndescription: b\nend: c\n  back again: d");
  expect(() => drawDiagram(unknown)).toThrow('A diagram has no step "d".');
});

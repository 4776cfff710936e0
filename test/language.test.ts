import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../scripts/runner/root.ts";
import { countWording, findWording } from "../scripts/source/wording.ts";

/** Limit of hits in 1,000 lines. `npm run bench -- source --list` lists them. */
const limit = 1;

const areas = [
  ["src"],
  ["router-wasm/src"],
  ["examples"],
  ["create-espalier"],
  ["benchmarks"],
  ["proof"],
  ["scripts", "site"],
  ["docs", "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"],
  // Without this file, which quotes the wordings.
  readdirSync(join(root, "test"))
    .filter((name) => name !== "language.test.ts")
    .map((name) => `test/${name}`),
];

describe("sources are written in the terms of the field", () => {
  test.each(areas.map((paths) => [paths[0]?.split("/")[0], paths] as const))(
    "%s",
    (_name, paths) => {
      const { hits, hitsPerThousandLines, lines } = countWording(paths);
      expect(lines).toBeGreaterThan(1_000);
      const listed = hits.map(({ place, text, instead }) => `${place}: ${text} (${instead})`);
      expect(hitsPerThousandLines, listed.join("\n")).toBeLessThanOrEqual(limit);
    },
  );

  test.each([
    ["// Nobody is waiting.", "Nobody"],
    ["// The caller is told why.", "is told"],
    ["// Tells whether a job runs.", "Tells whether"],
    ["`max` is no number", "is no number"],
    ["an option which there is not", "which there is not"],
    ["/** Whether it runs. */", "/** Whether"],
    ["/**\n * What it does.\n */", "/**\n * What"],
    ["/// Who calls it.", "/// Who"],
    ["a header of its own", "of its own"],
    ["the eldest entry", "eldest"],
    ["an error that stops the start", "stops the start"],
    ["what stands behind a queue", "stands behind"],
    ["a turn of an application's life", "turn of an application's life"],
  ])("%j is found", (text, hit) => {
    const found = findWording(text).map((one) => one.text);
    expect(found.some((one) => hit.includes(one))).toBe(true);
  });

  test.each([
    "/** Returns the number of whole batches. */",
    "// The value is no longer needed.",
    "/* Where does it end? See RFC 9110. */",
    "// What it holds is copied, because the pool reuses it.",
  ])("%j is fine", (text) => {
    expect(findWording(text)).toEqual([]);
  });

  test("a hit names its line", () => {
    expect(findWording("one\ntwo\n\n  /** What three is. */")[0]?.place).toBe("4");
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/bundle.ts";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const security = read("SECURITY.md");
const guide = read("docs/guide/security-guide.md");

/** The cells of each row of the table under a heading, without its head. */
function rowsUnder(page: string, heading: string): string[][] {
  const [, section = ""] = page.split(`${heading}\n`);
  const [table = ""] = section.split(/^#/m);
  const rows = [...table.matchAll(/^\| (.+) \|$/gm)].map(([, cells = ""]) => cells.split(" | "));
  return rows.slice(2);
}

const claims = rowsUnder(security, "### Tests of what counts");
const protections = rowsUnder(security, "### Tests of the protections by default");

const testFiles = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".test.ts"),
);

/** Returns true if a file is run: by itself, or by a file of tests that imports it. */
function isRun(path: string): boolean {
  if (path.endsWith(".test.ts")) return true;
  return testFiles.some((name) => {
    const imported = relative(dirname(join("test", name)), path);
    const specifier = imported.startsWith(".") ? imported : `./${imported}`;
    return read(join("test", name)).includes(`from "${specifier}"`);
  });
}

/** The lines with a title of a test that contains these words: `test("…", …` or, of a table, `])("…", …`. */
function titlesWith(path: string, words: string): string[] {
  const isTitle = /["`],(?: async)?(?: \(|$)/;
  return read(path)
    .split("\n")
    .filter((line) => line.includes(words) && isTitle.test(line));
}

test.each([...claims, ...protections])("the tests of this are run: %s", (_claim, tests = "") => {
  const links = [...tests.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)];
  expect(links.length).toBeGreaterThan(0);
  for (const [, title = "", path = ""] of links) {
    expect(path).toMatch(/^test\//);
    expect([path, isRun(path)]).toEqual([path, true]);
    const titles = titlesWith(path, title);
    expect([title, titles]).not.toEqual([title, []]);
    for (const line of titles) expect(line).not.toMatch(/\b(?:skip|todo|fails)\b/);
  }
});

test("every vulnerability that counts has a test", () => {
  const [, section = ""] = security.split("## What counts as a vulnerability");
  const [text = ""] = section.split("\n## ");
  const items = text.split(/^- |;/m).slice(1);
  const without = items
    .map((item) => item.replace(/\s+/g, " ").trim())
    .filter((item) => item !== "" && !claims.some(([claim = ""]) => item.includes(claim)));
  expect(items.length).toBeGreaterThan(25);
  expect(without).toEqual([]);
  const counted = text.replace(/\s+/g, " ");
  expect(claims.filter(([claim = ""]) => !counted.includes(claim))).toEqual([]);
});

test("every protection in the guide has a test", () => {
  const threats = rowsUnder(guide, "## Protections by default").map(([threat]) => threat);
  expect(threats.length).toBeGreaterThan(15);
  expect(protections.map(([threat]) => threat)).toEqual(threats);
});

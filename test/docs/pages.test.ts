import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../support/bundle.ts";
import { guidePages, pages as pagesWithCode } from "./code-blocks.ts";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const foldersOf = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

const pages = [
  ...pagesWithCode,
  "docs/architecture.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
];

/** Made of the docstrings when the site is built, which checks the links to it itself. */
const isGenerated = (path: string): boolean => path.startsWith("docs/reference/api/");

/** The anchor that Markdown renderers give to a heading. */
function anchorOf(heading: string): string {
  const words = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "");
  return words.trim().replaceAll(" ", "-");
}

function anchorsOf(path: string): string[] {
  return [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

describe.each(pages)("%s", (page) => {
  const prose = read(page).replace(/^```[\s\S]*?^```$/gm, "");
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);

  test("leads to pages and headings that exist", () => {
    const broken = links.filter((link) => {
      if (/^https?:/.test(link)) return false;
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? page : join(dirname(page), path);
      if (isGenerated(target)) return false;
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

test("the README leads to every page of the guide", () => {
  const readme = read("README.md");
  expect(
    guidePages.filter((page) => page !== "README.md" && !readme.includes(`](${page})`)),
  ).toEqual([]);
});

test("the architecture's table has the folders of src, each once", () => {
  const [, table = ""] = read("docs/architecture.md").split(/^## src\/.*$/m);
  const rows = [...table.matchAll(/^\| (`[^|]+`) \|/gm)].map(([, cell = ""]) => cell);
  const named = rows.flatMap((cell) => [...cell.matchAll(/`([\w-]+)\/`/g)].map(([, name]) => name));
  expect(named.toSorted()).toEqual(foldersOf("src").toSorted());
});

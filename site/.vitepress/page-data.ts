import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PageData } from "vitepress";
import { describe } from "./description.ts";

/** Folders that TypeDoc writes, and what a name in them is. */
const kinds: Readonly<Record<string, string>> = {
  classes: "class",
  functions: "function",
  interfaces: "interface",
  "type-aliases": "type",
  variables: "constant",
};

/** A page of the API: `reference/api/espalier/core/classes/Application.md`. */
const apiPage = new RegExp(
  `^reference/api/(espalier(?:/\\w+)*?)/(?:(${Object.keys(kinds).join("|")})/(\\w+)|index)\\.md$`,
);

/**
 * Returns the title of a page and its description, both unique on the site. A page may set
 * `description` in its frontmatter; otherwise it is taken from the first sentences.
 */
export function describePage(
  page: PageData,
  folder: string,
): { title: string; description: string } {
  const { relativePath, frontmatter } = page;
  const markdown = readFileSync(join(folder, relativePath), "utf8");
  const own: unknown = frontmatter["description"];
  if (relativePath === "reference/api/index.md") {
    return {
      title: "API reference",
      description:
        "Every class, function and type that the entry points of the package export, with signatures and examples.",
    };
  }
  const [isApi, entry, directory = "", name] = apiPage.exec(relativePath) ?? [];
  const kind = kinds[directory];
  if (isApi === undefined || entry === undefined) {
    return { title: page.title, description: typeof own === "string" ? own : describe(markdown) };
  }
  if (kind === undefined || name === undefined) {
    return {
      title: `${entry} API`,
      description: `Classes, functions and types that applications import from ${entry}, with signatures and examples.`,
    };
  }
  return {
    title: `${page.title} (${entry})`,
    description: describe(markdown, `The ${kind} ${name} of ${entry}.`),
  };
}

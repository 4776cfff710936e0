import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DefaultTheme } from "vitepress";

type Item = DefaultTheme.SidebarItem;

const docs = fileURLToPath(new URL("../../docs/", import.meta.url));

/** Pages in the order in which somebody reads them; those that do not exist are left out. */
const guide: readonly (readonly [title: string, pages: readonly string[]])[] = [
  ["Start", ["start", "tour", "cli"]],
  [
    "Requests",
    ["requests", "routing", "validation", "middleware", "authentication", "openapi", "client"],
  ],
  ["Bodies and streams", ["uploads", "streaming", "server-sent-events", "websockets"]],
  ["Services", ["services", "cache", "queues", "health", "observability"]],
  ["Ship", ["testing", "deployment", "embedding", "security-guide", "reliability", "scale"]],
  ["Choose", ["performance", "compared"]],
];
const listed = guide.flatMap(([, pages]) => pages);

const migration: readonly string[] = ["hono", "express", "nestjs", "laravel"];
const reference: readonly string[] = ["options", "errors", "compared", "spec"];

/** The text of a page's first heading, without marks of code. */
function titleOf(page: string): string {
  const heading = /^# (.+)$/m.exec(readFileSync(`${docs}${page}.md`, "utf8"))?.[1];
  if (heading === undefined) throw new Error(`docs/${page}.md has no heading of the first level`);
  return heading.replaceAll("`", "");
}

function itemsOf(folder: string, pages: readonly string[]): Item[] {
  return pages
    .map((page) => `${folder}/${page}`)
    .filter((page) => existsSync(`${docs}${page}.md`))
    .map((page) => ({ text: titleOf(page), link: `/${page}` }));
}

function pagesIn(folder: string): string[] {
  return readdirSync(`${docs}${folder}`)
    .filter((name) => name.endsWith(".md") && name !== "index.md")
    .map((name) => name.slice(0, -".md".length))
    .toSorted();
}

/** Pages of a folder that nobody has put in their place: they come last. */
const unlisted = (folder: string, listed: readonly string[]): readonly string[] =>
  pagesIn(folder).filter((page) => !listed.includes(page));

/** The guide, the migration pages and the project's own pages. */
function guideSidebar(): Item[] {
  return [
    ...[...guide, ["More", unlisted("guide", listed)] as const]
      .map(([text, pages]): Item => ({ text, items: itemsOf("guide", pages) }))
      .filter(({ items = [] }) => items.length > 0),
    {
      text: "Come from",
      items: itemsOf("migration", [...migration, ...unlisted("migration", migration)]),
    },
    {
      text: "Inside",
      items: [
        ...itemsOf(".", ["architecture", "scale"]).map((item) => ({
          ...item,
          link: `/${String(item.link).split("/").at(-1)}`,
        })),
        ...itemsOf("decisions", pagesIn("decisions")),
      ].map((item) => ({ ...item, text: item.text.replace(/^\d+ — /, "") })),
    },
  ];
}

/** Folders of TypeDoc that hold pages of one kind; every other folder is an entry of the package. */
const kinds: readonly string[] = [
  "classes",
  "functions",
  "interfaces",
  "type-aliases",
  "variables",
];

/** The entries of the package, each with its names by kind, as TypeDoc wrote them. */
function apiItems(entry: string): Item[] {
  const folder = `reference/api/${entry}`;
  const folders = readdirSync(`${docs}${folder}`, { withFileTypes: true })
    .filter((child) => child.isDirectory())
    .map(({ name }) => name);
  const items = kinds
    .filter((kind) => folders.includes(kind))
    .map((kind): Item => {
      const pages = pagesIn(`${folder}/${kind}`);
      const links = pages.map((page) => ({ text: page, link: `/${folder}/${kind}/${page}` }));
      return { text: kind.replace("-", " "), collapsed: true, items: links };
    });
  const inner = folders.filter((name) => !kinds.includes(name)).toSorted();
  return [
    { text: entry, link: `/${folder}/`, collapsed: entry !== "espalier", items },
    ...inner.flatMap((name) => apiItems(`${entry}/${name}`)),
  ];
}

function referenceSidebar(): Item[] {
  return [
    {
      text: "Reference",
      items: itemsOf("reference", [...reference, ...unlisted("reference", reference)]),
    },
    { text: "API", link: "/reference/api/", items: apiItems("espalier") },
  ];
}

export const sidebar = (): DefaultTheme.SidebarMulti => ({
  "/reference/": referenceSidebar(),
  "/": guideSidebar(),
});

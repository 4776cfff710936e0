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

const migration: readonly string[] = ["hono", "express", "nestjs", "laravel"];
const reference: readonly string[] = ["options", "errors", "spec"];

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

/** A page that nobody put in its place would be found by search alone. */
function refuseForgotten(folder: string, listed: readonly string[]): void {
  const forgotten = pagesIn(folder).filter((page) => !listed.includes(page));
  if (forgotten.length === 0) return;
  throw new Error(
    `site/.vitepress/sidebar.ts does not list docs/${folder}: ${forgotten.join(", ")}`,
  );
}

/** The guide, the migration pages and the project's own pages. */
function guideSidebar(): Item[] {
  refuseForgotten(
    "guide",
    guide.flatMap(([, pages]) => pages),
  );
  refuseForgotten("migration", migration);
  return [
    ...guide
      .map(([text, pages]): Item => ({ text, items: itemsOf("guide", pages) }))
      .filter(({ items = [] }) => items.length > 0),
    { text: "Come from", items: itemsOf("migration", migration) },
    {
      text: "Inside",
      items: [
        ...itemsOf(".", ["architecture"]).map((item) => ({ ...item, link: "/architecture" })),
        ...itemsOf("decisions", pagesIn("decisions")),
      ].map((item) => ({ ...item, text: item.text.replace(/^\d+ — /, "") })),
    },
  ];
}

/** What TypeDoc wrote below `reference/api`, by entry and kind. */
function apiItems(folder: string): Item[] {
  const entries = readdirSync(`${docs}${folder}`, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }): Item => {
      const path = `${folder}/${name}`;
      const pages = pagesIn(path).map((page) => ({ text: page, link: `/${path}/${page}` }));
      return { text: name, collapsed: true, items: [...apiItems(path), ...pages] };
    });
}

function referenceSidebar(): Item[] {
  refuseForgotten("reference", reference);
  return [
    { text: "Reference", items: itemsOf("reference", reference) },
    { text: "API", link: "/reference/api/", items: apiItems("reference/api") },
  ];
}

export const sidebar = (): DefaultTheme.SidebarMulti => ({
  "/reference/": referenceSidebar(),
  "/": guideSidebar(),
});

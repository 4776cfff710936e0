import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DefaultTheme } from "vitepress";

type Item = DefaultTheme.SidebarItem;

const docs = fileURLToPath(new URL("../../docs/", import.meta.url));

/** Sections of the guide in reading order; pages that do not exist are omitted. */
const guide: readonly (readonly [title: string, pages: readonly string[]])[] = [
  ["Getting started", ["start", "tour", "tutorial"]],
  [
    "Concepts",
    [
      ...["application", "request-lifecycle", "routing", "controllers", "requests", "responses"],
      ...["middleware", "validation", "errors"],
    ],
  ],
  [
    "Security",
    [
      ...[
        "authentication",
        "sessions",
        "sign-in",
        "csrf",
        "cors",
        "rate-limiting",
        "secure-headers",
      ],
      ...["webhooks", "signed-urls", "encryption", "security-guide"],
    ],
  ],
  [
    "Services",
    [
      ...["container", "configuration", "events", "plugins", "cache", "queues", "schedules"],
      ...["locks", "broadcast"],
    ],
  ],
  [
    "Integrations",
    [
      ...[
        "databases",
        "drizzle-kysely",
        "redis",
        "postgresql",
        "bullmq",
        "durable-objects",
        "files",
        "static-files",
        "mail",
      ],
      ...["observability", "metrics", "sentry", "health"],
    ],
  ],
  [
    "HTTP",
    [
      ...["uploads", "streaming", "server-sent-events", "websockets", "proxying"],
      ...[
        "pagination",
        "idempotency",
        "translation",
        "tenancy",
        "compression",
        "http-caching",
        "timeouts",
      ],
    ],
  ],
  ["Tooling", ["cli", "testing", "openapi", "client"]],
  [
    "Deployment",
    ["deployment", "scaling-out", "cloudflare", "node", "deno", "bun", "serverless", "embedding"],
  ],
];
const listed = guide.flatMap(([, pages]) => pages);

const migration: readonly string[] = ["hono", "express", "nestjs", "adonisjs", "laravel"];
const reference: readonly string[] = ["options", "errors", "glossary", "compared", "spec"];
const project: readonly string[] = ["architecture", "performance", "scale", "reliability"];

/** Returns the first heading of a page, without code marks. */
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

/** Pages of a folder that no section lists; shown last. */
const unlisted = (folder: string, listed: readonly string[]): readonly string[] =>
  pagesIn(folder).filter((page) => !listed.includes(page));

/** Returns the sections of the guide, migration and project pages. */
function guideSidebar(): Item[] {
  return [
    ...[...guide, ["More", unlisted("guide", listed)] as const]
      .map(([text, pages]): Item => ({ text, items: itemsOf("guide", pages) }))
      .filter(({ items = [] }) => items.length > 0),
    {
      text: "Migration",
      items: itemsOf("migration", [...migration, ...unlisted("migration", migration)]),
    },
    {
      text: "Project",
      items: [
        ...itemsOf(".", project).map((item) => ({
          ...item,
          link: `/${String(item.link).split("/").at(-1)}`,
        })),
        ...itemsOf("decisions", pagesIn("decisions")),
      ].map((item) => ({ ...item, text: item.text.replace(/^\d+ — /, "") })),
    },
  ];
}

/** Folders of TypeDoc with pages of one kind; other folders are entry points of the package. */
const kinds: readonly string[] = [
  "classes",
  "functions",
  "interfaces",
  "type-aliases",
  "variables",
];

/** Returns the entry points of the package, with their names by kind, as TypeDoc wrote them. */
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

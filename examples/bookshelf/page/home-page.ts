import type { Router } from "espalier";
import type { CatalogueEntry } from "../services/catalogue.ts";
import { type Html, markup } from "./html.ts";
import { listRoutes, type ShownRoute } from "./route-list.ts";
import { samples } from "./samples.ts";

/** Themes that a visitor can choose; `system` follows the device. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** Data of the page. */
export interface HomePageContent {
  readonly router: Router;
  /** Base URL, such as `http://localhost:8787`. */
  readonly origin: string;
  readonly entries: readonly CatalogueEntry[];
  /** Name of the storage in use. */
  readonly storageName: string;
  readonly theme: Theme;
}

export function homePage(content: HomePageContent): Html {
  const { router, origin, entries, storageName, theme } = content;
  const lent = entries.filter(({ available }) => !available).length;
  return markup`<!doctype html>
<html lang="en" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bookshelf</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${router.url("stylesheet")}">
</head>
<body>
<header>
<h1>Bookshelf</h1>
<p>A small library as a JSON API: books, their loans and the members who borrow them.</p>
<p class="facts">
${entries.length} books, ${lent} of them out. Records are kept in ${storageName}.
</p>
<p class="facts">
<a href="/docs">Documentation</a>, <a href="/openapi.json">OpenAPI</a>, <a href="/health">health</a>
</p>
</header>
<main>
<nav aria-label="Books" class="shelf">
<ul>
${entries.map((entry) => spine(router, entry))}
</ul>
</nav>
<section>
<h2>A token</h2>
<article>
<h3>Store the librarian's token in the shell, for the commands below</h3>
<pre><code>${tokenLine(origin + router.url("log-in"))}</code></pre>
</article>
</section>
${[...listRoutes(router, origin)].map(([subject, routes]) => section(subject, routes))}
</main>
<footer>
<form method="post" action="${router.url("theme")}">
<span>Look:</span>
${themes.map((name) => themeButton(name, theme))}
</form>
</footer>
</body>
</html>
`;
}

/** Extracts the token from the response; every JWT starts with `eyJ`. */
function tokenLine(url: string): string {
  const content = JSON.stringify(samples.get("log-in")?.body);
  return `TOKEN=$(curl -s ${url} --json '${content}' | grep -o 'eyJ[^"]*')`;
}

/** Renders the spine of a book; a book on loan leaves a gap. */
function spine(router: Router, { book, available }: CatalogueEntry): Html {
  const height = (book.pages ?? 0) > 300 ? "tall" : (book.pages ?? 0) > 190 ? "medium" : "low";
  const hue = Number(book.id.slice(-3, -1)) % 6;
  const path = router.url("short-link", { isbn: book.isbn });
  const classes = `spine ${height} hue-${hue}${available ? "" : " lent"}`;
  const description = `${book.title} by ${book.authors.join(" and ")}`;
  const hint = available ? description : `${description}, on loan`;
  return markup`<li>
<a class="${classes}" href="${path}" title="${hint}"><span>${book.title}</span></a>
</li>
`;
}

function section(subject: string, routes: readonly ShownRoute[]): Html {
  return markup`<section>
<h2>${subject}</h2>
${routes.map(article)}
</section>
`;
}

function article({ method, pattern, title, path, curl, isGuarded }: ShownRoute): Html {
  const name = markup`<code>${pattern}</code>`;
  // A link sends GET without a token.
  const target = method === "GET" && !isGuarded ? markup`<a href="${path}">${name}</a>` : name;
  return markup`<article>
<h3>${title}</h3>
<p><b class="method ${method.toLowerCase()}">${method}</b> ${target}</p>
<pre><code>${curl}</code></pre>
</article>
`;
}

function themeButton(name: Theme, current: Theme): Html {
  const pressed = name === current ? "true" : "false";
  return markup`<button name="theme" value="${name}" aria-pressed="${pressed}">${name}</button>
`;
}

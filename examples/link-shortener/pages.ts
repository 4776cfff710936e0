import type { HttpError } from "espalier";
import { type Html, markup } from "./html.ts";
import type { Link } from "./links.ts";

const stylesheet = `
  :root { color-scheme: light dark; font: 1.05rem/1.5 system-ui, sans-serif; }
  body { max-width: 34rem; margin: 3rem auto; padding: 0 1rem; }
  form { display: grid; gap: 0.4rem; }
  input, button { font: inherit; padding: 0.4rem 0.6rem; }
  button { justify-self: start; margin-top: 0.6rem; }
  dd { margin: 0 0 0.8rem; overflow-wrap: anywhere; }
`;

function page(title: string, nonce: string, content: Html): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${stylesheet}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text;
}

/** Submitted form values, to redisplay with an error. */
export type Entered = Readonly<Record<string, unknown>>;

function form({ url, slug, days }: Entered = {}): Html {
  const name = "[A-Za-z0-9][A-Za-z0-9\\-]*";
  return markup`<form method="post" action="/links">
<label for="url">A long URL</label>
<input id="url" name="url" type="url" required placeholder="https://" value="${textOf(url)}">
<label for="slug">Short name (random if empty)</label>
<input id="slug" name="slug" minlength="3" maxlength="32" pattern="${name}" value="${textOf(slug)}">
<label for="days">Days until it expires</label>
<input id="days" name="days" type="number" min="1" max="365" value="${textOf(days, "30")}">
<button>Shorten</button>
</form>`;
}

/** Returns the value if it is a string: other types cannot come from the form. */
function textOf(value: unknown, otherwise = ""): string {
  return typeof value === "string" ? value : otherwise;
}

export function homePage(nonce: string): string {
  return page("Short links", nonce, form());
}

export function linkPage(nonce: string, link: Link, shortUrl: string, clicks: number): string {
  const facts = markup`<dl>
<dt>Short link</dt><dd><a href="${shortUrl}">${shortUrl}</a></dd>
<dt>Leads to</dt><dd>${link.target}</dd>
<dt>Clicks</dt><dd id="clicks">${clicks}</dd>
<dt>Expires</dt><dd>${new Date(link.expiresAtMs).toISOString().slice(0, 10)}</dd>
</dl>
<p><a href="/">Shorten another</a></p>`;
  return page(`/${link.slug}`, nonce, facts);
}

/** Renders an error page, with the form if the error is about its fields. */
export function errorPage(nonce: string, error: HttpError, entered: Entered): string {
  const items = (error.errors ?? []).map(({ message }) => markup`<li>${message}</li>`);
  const isAboutTheForm = error.status === 422;
  const next = isAboutTheForm ? form(entered) : markup`<p><a href="/">Shorten a link</a></p>`;
  const content = markup`<p>${error.message}</p><ul>${items}</ul>${next}`;
  return page(String(error.status), nonce, content);
}

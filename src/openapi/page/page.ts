import { escapeHtml } from "../../http/escape-html.ts";
import { joinBytes } from "../../http/read-bytes.ts";
import type { OpenApiDocument, OperationObject } from "../document.ts";
import { quotable } from "./curl-line.ts";
import { type Html, html } from "./html.ts";
import { anchorOf, operationView, paragraphs, type ShownOperation } from "./operation-view.ts";
import { isObject } from "./schemas.ts";

/** URLs used by the page. */
export interface PageLinks {
  readonly documentPath: string;
  readonly stylesheetPath: string;
}

/** Returns the page as UTF-8 for the origin of a request, which its commands contain. */
export type RenderPage = (origin: string) => Uint8Array<ArrayBuffer>;

interface Section {
  readonly name: string;
  readonly description: string | undefined;
  readonly operations: readonly ShownOperation[];
}

const methods = ["get", "post", "put", "patch", "delete", "options", "head", "trace"];

/** Stands for the origin until a request tells it: a character for private use, which nothing escapes. */
const originMark = "\u{F0000}";

/**
 * Renders the documentation page of an API: HTML and a style sheet, without scripts or external resources.
 *
 * Rendering takes a tenth of a second for some hundred routes, and a client may choose the origin by its Host header:
 * the page is rendered once, and the origin inserted for each request.
 */
export function createDocumentationPage(document: OpenApiDocument, links: PageLinks): RenderPage {
  const encoder = new TextEncoder();
  const parts = renderPage(document, links)
    .split(originMark)
    .map((part) => encoder.encode(part));
  return (origin) => {
    const separator = encoder.encode(escapeHtml(quotable(origin)));
    const chunks = parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
    return joinBytes(
      chunks,
      chunks.reduce((sum, { length }) => sum + length, 0),
    );
  };
}

function renderPage(document: OpenApiDocument, links: PageLinks): string {
  const { info } = document;
  const sections = sectionsOf(document);
  const origin = baseUrl(document, originMark);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title}</title>
<link rel="stylesheet" href="${links.stylesheetPath}">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<nav aria-label="Operations">
<p class="title"><a href="#content">${info.title}</a> <small>${info.version}</small></p>
${sections.map(navigationOf)}
</nav>
<main id="content">
<header class="intro">
<h1>${info.title} <small>${info.version}</small></h1>
${info.summary === undefined ? undefined : html`<p class="summary">${info.summary}</p>`}
${paragraphs(info.description)}
<p class="links"><a href="${links.documentPath}">OpenAPI document (JSON)</a></p>
${serverList(document)}
${securityList(document)}
</header>
${sections.map(
  (section) => html`<section aria-label="${section.name}">
<h2 id="${sectionAnchor(section)}">${section.name}</h2>
${paragraphs(section.description)}
${section.operations.map((shown) => operationView(shown, document, origin))}
</section>
`,
)}
</main>
</body>
</html>
`.text;
}

/** Groups operations by their first tag, in the order of the document's tags; untagged ones come last. */
function sectionsOf(document: OpenApiDocument): readonly Section[] {
  const operations = operationsOf(document);
  const sections = (document.tags ?? []).map(({ name, description }) => ({
    name,
    description,
    operations: operations.filter(({ operation }) => operation.tags?.[0] === name),
  }));
  const others = operations.filter(({ operation }) => operation.tags?.[0] === undefined);
  return [...sections, { name: "Other", description: undefined, operations: others }].filter(
    (section) => section.operations.length > 0,
  );
}

function operationsOf(document: OpenApiDocument): readonly ShownOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const additional = item["x-additionalOperations"];
    const entries = [
      ...methods.map((method) => [method, item[method]] as const),
      ...(isObject(additional) ? Object.entries(additional) : []),
    ];
    return entries
      .filter(([, operation]) => operation !== undefined)
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation: operation as OperationObject,
      }));
  });
}

function sectionAnchor({ name }: Section): string {
  return `tag-${name}`;
}

function navigationOf(section: Section): Html {
  return html`<details open>
<summary>${section.name}</summary>
<ul>${section.operations.map(
    (shown) =>
      html`<li><a href="#${encodeURIComponent(anchorOf(shown))}"${
        shown.operation.deprecated === true ? html` class="deprecated"` : undefined
      }><span class="method ${shown.method.toLowerCase()}">${shown.method}</span> ${
        shown.operation.summary ?? shown.path
      }</a></li>`,
  )}</ul>
</details>
`;
}

/** Returns the URL of the first server; a relative one is relative to the document. */
function baseUrl({ servers }: OpenApiDocument, origin: string): string {
  const url = servers?.[0]?.url ?? "/";
  return (url.startsWith("/") ? origin + url : url).replace(/\/$/, "");
}

function serverList({ servers = [] }: OpenApiDocument): Html | undefined {
  const isOwnOrigin = servers.every(({ url, description }) => url === "/" && !description);
  if (isOwnOrigin) return undefined;
  return html`<h4>Servers</h4>
<ul class="fields">${servers.map(
    ({ url, description }) => html`<li><code class="name">${url}</code> ${description}</li>`,
  )}</ul>`;
}

function securityList({ components }: OpenApiDocument): Html | undefined {
  const schemes = Object.entries(components.securitySchemes ?? {});
  if (schemes.length === 0) return undefined;
  return html`<h4>Authentication</h4>
<ul class="fields">${schemes.map(([name, { type, scheme, description, in: place, name: key }]) => {
    const words = [type, scheme, place, key].filter((word) => typeof word === "string");
    const said = words.join(" · ");
    return html`<li><code class="name">${name}</code> <span class="type">${said}</span>${
      typeof description === "string" ? html`<p>${description}</p>` : undefined
    }</li>`;
  })}</ul>`;
}

import type {
  MediaTypeObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from "../document.ts";
import { curlLine } from "./curl-line.ts";
import { type Html, html } from "./html.ts";
import { sampleOfMedia } from "./sample.ts";
import { fieldList, typeLine } from "./schema-view.ts";

/** An operation with its path and method. */
export interface ShownOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

/** Returns the anchor of an operation on the page. */
export function anchorOf({ operation }: ShownOperation): string {
  return `operation-${operation.operationId}`;
}

/** Renders the section of one operation. */
export function operationView(
  shown: ShownOperation,
  document: OpenApiDocument,
  origin: string,
): Html {
  const { method, path, operation } = shown;
  const { parameters = [], requestBody } = operation;
  return html`<article id="${anchorOf(shown)}" class="operation">
<header>
<h3><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></h3>
${operation.deprecated === true ? html`<span class="badge">deprecated</span>` : undefined}
${securityNotes(operation).map((note) => html`<span class="badge">${note}</span>`)}
</header>
${operation.summary === undefined ? undefined : html`<p class="summary">${operation.summary}</p>`}
${paragraphs(operation.description)}
${parameters.length === 0 ? undefined : parameterList(parameters, document)}
${
  requestBody === undefined
    ? undefined
    : html`<h4>Body${requestBody.required ? undefined : html` <small>optional</small>`}</h4>
${Object.entries(requestBody.content).map(([type, media]) => mediaView(type, media, document))}`
}
<h4>Request</h4>
<pre tabindex="0"><code>${curlLine(method, path, operation, document, origin)}</code></pre>
<h4>Responses</h4>
${Object.entries(operation.responses).map(([status, response]) =>
  responseView(status, response, document),
)}
</article>
`;
}

/** Renders CommonMark as plain text in paragraphs. */
export function paragraphs(text: string | undefined): readonly Html[] {
  if (text === undefined) return [];
  return text.split(/\n\s*\n/).map((paragraph) => html`<p>${paragraph}</p>`);
}

/** Returns notes on the required and optional credentials of a request. */
function securityNotes({ security = [] }: OperationObject): readonly string[] {
  const names = [...new Set(security.flatMap((requirement) => Object.keys(requirement)))];
  return names.map((name) => {
    const isNeeded = security.every((requirement) => name in requirement);
    return isNeeded ? `needs ${name}` : `${name} optional`;
  });
}

function parameterList(parameters: readonly ParameterObject[], document: OpenApiDocument): Html {
  return html`<h4>Parameters</h4>
<ul class="fields">${parameters.map(
    (parameter) =>
      html`<li><code class="name">${parameter.name}</code> <span class="place">${
        parameter.in
      }</span>${typeLine(parameter.schema, parameter.required === true, document)}${
        parameter.description === undefined ? undefined : html`<p>${parameter.description}</p>`
      }</li>`,
  )}</ul>`;
}

function mediaView(type: string, media: MediaTypeObject, document: OpenApiDocument): Html {
  const fields = fieldList(media.schema, document);
  const sample = media.schema === undefined && media.example === undefined ? undefined : media;
  return html`<p class="media"><code>${type}</code>${
    fields === undefined && media.schema !== undefined
      ? typeLine(media.schema, false, document)
      : undefined
  }</p>${fields}${
    sample === undefined
      ? undefined
      : html`<details><summary>Example</summary><pre tabindex="0"><code>${
          JSON.stringify(sampleOfMedia(sample, document), null, 2) ?? ""
        }</code></pre></details>`
  }`;
}

function responseView(status: string, response: ResponseObject, document: OpenApiDocument): Html {
  const media = Object.entries(response.content ?? {});
  const line = html`<span class="status status-${status.charAt(0)}">${status}</span> ${
    response.description
  }`;
  if (media.length === 0) return html`<p class="response">${line}</p>`;
  return html`<details class="response"><summary>${line}</summary>${media.map(([type, each]) =>
    mediaView(type, each, document),
  )}</details>`;
}

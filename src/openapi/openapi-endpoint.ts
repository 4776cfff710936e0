import type { RequestContext } from "../http/context.ts";
import { createResponse } from "../http/create-response.ts";
import { createEntityTag, matchesEntityTag } from "../http/entity-tag.ts";
import { text } from "../http/responses.ts";
import type { MiddlewareRegistry } from "../pipeline/registry.ts";
import type { RouteRecord } from "../routing/route.ts";
import { createOpenApiDocument, type OpenApiDocumentOptions } from "./create-document.ts";
import type { OpenApiDocument } from "./document.ts";
import { type DescriptionScope, readInstanceSchemas } from "./instance-schemas.ts";
import { createDocumentationPage, type RenderPage } from "./page/page.ts";
import { stylesheet } from "./page/stylesheet.ts";

/** Options of `exposeOpenApi`. */
export interface OpenApiOptions extends OpenApiDocumentOptions {
  /** Path of the documentation page; omitted by default. */
  readonly ui?: string;
}

/** The routes and middleware to document. */
export interface OpenApiSubject {
  readonly records: () => readonly RouteRecord[];
  readonly middleware: MiddlewareRegistry;
}

interface Made {
  readonly revision: string;
  readonly document: OpenApiDocument;
  readonly text: string;
  readonly entityTag: string;
  /** Created by the first request for the page. */
  renderPage?: RenderPage;
}

/** Content-Security-Policy of the page: no scripts, and only its own style sheet. */
const pagePolicy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";

/**
 * Serves the OpenAPI document of an application and its documentation page. The document is created on the
 * first request, and again after routes or middleware have been added.
 */
export class OpenApiEndpoint {
  readonly #path: string;
  readonly #options: OpenApiOptions;
  readonly #subject: OpenApiSubject;
  #made: Made | undefined;

  constructor(path: string, options: OpenApiOptions, subject: OpenApiSubject) {
    this.#path = path;
    this.#options = options;
    this.#subject = subject;
  }

  /** Responds with the document as JSON, or with 304 if the client's copy is current. */
  async respondWithDocument(ctx: RequestContext): Promise<Response> {
    const made = await this.#make(ctx);
    const headers = { etag: made.entityTag, "cache-control": "no-cache" };
    if (matchesEntityTag(ctx.headers.get("if-none-match") ?? "", made.entityTag)) {
      return createResponse(null, { status: 304, headers });
    }
    return createResponse(made.text, {
      status: 200,
      headers: {
        ...headers,
        "content-type": "application/json",
        "x-content-type-options": "nosniff",
      },
    });
  }

  /** Responds with the documentation page. */
  async respondWithPage(ctx: RequestContext, stylesheetPath: string): Promise<Response> {
    const made = await this.#make(ctx);
    made.renderPage ??= createDocumentationPage(made.document, {
      documentPath: this.#path,
      stylesheetPath,
    });
    return createResponse(made.renderPage(ctx.url.origin), {
      status: 200,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "x-content-type-options": "nosniff",
        "content-security-policy": pagePolicy,
        "cache-control": "no-cache",
      },
    });
  }

  /** Responds with the style sheet of the page. */
  respondWithStylesheet(): Response {
    return text(stylesheet, 200, {
      "content-type": "text/css; charset=utf-8",
      "cache-control": "public, max-age=3600",
    });
  }

  /** Returns the served document; `scope` resolves the services of controllers. */
  async document(scope: DescriptionScope): Promise<OpenApiDocument> {
    return (await this.#make(scope)).document;
  }

  async #make(scope: DescriptionScope): Promise<Made> {
    const records = this.#subject.records();
    const { middleware } = this.#subject;
    const revision = `${records.length} ${middleware.revision}`;
    if (this.#made?.revision === revision) return this.#made;
    const described = records.filter(({ internal }) => !internal);
    const instanceSchemas = await readInstanceSchemas(described, scope);
    const sources = { middleware, instanceSchemas };
    const document = createOpenApiDocument(described, sources, this.#options);
    const text = JSON.stringify(document);
    // Only a finished document is cached: on Workers a request must not await the work of another.
    this.#made = {
      revision,
      document,
      text,
      entityTag: await createEntityTag(new TextEncoder().encode(text)),
    };
    return this.#made;
  }
}

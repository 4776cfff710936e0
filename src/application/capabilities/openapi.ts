import type { OpenApiDocument } from "../../openapi/document.ts";
import type { OpenApiEndpoint, OpenApiOptions } from "../../openapi/openapi-endpoint.ts";
import { checkOpenApiOptions, openApiRoutes } from "../../openapi/openapi-routes.ts";
import { createJobContext } from "../job-context.ts";
import type { ApplicationRuntime } from "../runtime.ts";

/**
 * The OpenAPI document and its documentation page. The code that creates them is loaded by the first
 * request for one of the two.
 */
export class OpenApiCapability {
  readonly #runtime: ApplicationRuntime;
  #first: (() => Promise<OpenApiEndpoint>) | undefined;

  constructor(runtime: ApplicationRuntime) {
    this.#runtime = runtime;
  }

  /** Registers the routes of a document and, with the option `ui`, of its page. */
  expose(path: string, options: OpenApiOptions): void {
    checkOpenApiOptions(path, options);
    const load = this.#createLoader(path, options);
    for (const route of openApiRoutes(path, options.ui, load)) {
      this.#runtime.router.get(route.path, route.handler, route.options);
    }
    this.#first ??= load;
  }

  /** Creates the document that the first {@link expose} serves, or one with the default options. */
  async document(): Promise<OpenApiDocument> {
    const load = this.#first ?? this.#createLoader("/openapi.json", {});
    return (await load()).document(createJobContext(this.#runtime));
  }

  #createLoader(path: string, options: OpenApiOptions): () => Promise<OpenApiEndpoint> {
    const { router, middleware } = this.#runtime;
    let endpoint: OpenApiEndpoint | undefined;
    return async () => {
      const module = await import("../../openapi/openapi-endpoint.ts");
      const records = () => router.records;
      endpoint ??= new module.OpenApiEndpoint(path, options, { records, middleware });
      return endpoint;
    };
  }
}

import { checkPlainPath } from "../routing/plain-path.ts";
import type { RouteFunction, RouteOptions } from "../routing/route.ts";
import { checkOptionNames, type OptionNames } from "../util/options.ts";
import type { OpenApiEndpoint, OpenApiOptions } from "./openapi-endpoint.ts";

/** A route to register with the router's `get`. */
export interface OpenApiRoute {
  readonly path: string;
  readonly handler: RouteFunction;
  readonly options: RouteOptions;
}

const owner = { code: "ERR_OPENAPI_BAD_OPTION", name: "exposeOpenApi()" } as const;

const optionNames: OptionNames<OpenApiOptions> = {
  ui: true,
  info: true,
  servers: true,
  tags: true,
  toJsonSchema: true,
  errors: true,
  exact: true,
};

/** @throws EspalierError `ERR_OPENAPI_BAD_OPTION` for an unknown option, and unless both paths have no parameters */
export function checkOpenApiOptions(path: unknown, options: OpenApiOptions): void {
  checkOptionNames(owner, options, optionNames);
  checkPlainPath(owner, "path", path);
  if (options.ui !== undefined) checkPlainPath(owner, "ui", options.ui);
}

/**
 * Returns the routes that serve the document and, with `ui`, its page; none of them is in the document.
 *
 * @param load loads the endpoint: its code is most of what OpenAPI adds to a bundle
 */
export function openApiRoutes(
  path: string,
  ui: string | undefined,
  load: () => Promise<OpenApiEndpoint>,
): readonly OpenApiRoute[] {
  const options: RouteOptions = { internal: true };
  const document: OpenApiRoute = {
    path,
    handler: async (ctx) => (await load()).respondWithDocument(ctx),
    options,
  };
  if (ui === undefined) return [document];
  const stylesheetPath = `${ui.replace(/\/$/, "")}/style.css`;
  return [
    document,
    {
      path: ui,
      handler: async (ctx) => (await load()).respondWithPage(ctx, stylesheetPath),
      options,
    },
    { path: stylesheetPath, handler: async () => (await load()).respondWithStylesheet(), options },
  ];
}

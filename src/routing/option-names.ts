import type { OptionNames } from "../util/options.ts";
import type { GroupOptions, RouteDocumentation, RouteOptions } from "./route.ts";

/** Names of the options of groups. */
export const groupOptionNames: OptionNames<GroupOptions> = {
  middleware: true,
  validation: true,
  name: true,
};
const documentationNames: OptionNames<RouteDocumentation> = {
  summary: true,
  description: true,
  tags: true,
  deprecated: true,
  operationId: true,
  examples: true,
  fields: true,
  bodyTypes: true,
  responses: true,
};
/** Names of the options of routes. */
export const routeOptionNames: OptionNames<RouteOptions> = {
  ...groupOptionNames,
  params: true,
  query: true,
  body: true,
  headers: true,
  bodyParser: true,
  bodyLimit: true,
  internal: true,
  bypassMiddleware: true,
  ...documentationNames,
};

/** Returns the options that only document a route. */
export function documentationOf(options: RouteOptions): RouteDocumentation {
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && Object.hasOwn(documentationNames, name)) given[name] = value;
  }
  return given;
}

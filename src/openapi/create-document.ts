import type { MiddlewareRegistry } from "../pipeline/registry.ts";
import type { ControllerClass, RouteRecord } from "../routing/route.ts";
import type { RouteValidation } from "../validation/rules.ts";
import type { ToJsonSchema } from "../validation/standard-json-schema.ts";
import { Components, type ErrorDocumentation } from "./components.ts";
import type { DescribedRoute } from "./describe-context.ts";
import type { InfoObject, OpenApiDocument, ServerObject, TagObject } from "./document.ts";
import { describeOperation } from "./operation.ts";
import { OperationIds } from "./operation-ids.ts";
import { PathTable } from "./path-table.ts";
import { type PathTemplate, pathTemplates } from "./path-template.ts";
import { routeInput } from "./route-input.ts";

/** Options of an OpenAPI document, in addition to the documentation of the routes. */
export interface OpenApiDocumentOptions {
  /** Title and version of the API; default "API" and "1.0.0". */
  readonly info?: Partial<InfoObject>;
  /** URLs of the API; default `/`, the origin of the document. */
  readonly servers?: readonly ServerObject[];
  /** Tag descriptions, which also determine the order of tags. */
  readonly tags?: readonly TagObject[];
  /** Converts schemas of a library that cannot export JSON Schema. */
  readonly toJsonSchema?: ToJsonSchema;
  /** Format of every error, if `app.onError` responds with one other than Problem Details. */
  readonly errors?: ErrorDocumentation;
  /** Also documents lenient input, such as null for an optional field; default false. */
  readonly exact?: boolean;
}

/** Input of the document. */
export interface OpenApiSources {
  readonly middleware: MiddlewareRegistry;
  /** The `schema` fields of controller instances, if available. */
  readonly instanceSchemas?: ReadonlyMap<ControllerClass, RouteValidation>;
}

/** Methods documented for a route for all methods. */
const methodsOfAll: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

interface Form {
  readonly record: RouteRecord;
  readonly template: PathTemplate;
  readonly method: string;
}

/**
 * Creates an OpenAPI 3.1.0 document of the routes: each appears once, or under each of its paths if it has
 * optional segments. Internal routes are excluded.
 */
export function createOpenApiDocument(
  records: readonly RouteRecord[],
  sources: OpenApiSources,
  options: OpenApiDocumentOptions = {},
): OpenApiDocument {
  const components = new Components(options.toJsonSchema, options.errors);
  const paths = new PathTable();
  const ids = new OperationIds();
  const tags = new Set<string>(options.tags?.map(({ name }) => name));
  const routes = new Map(
    records
      .filter((record) => !record.internal)
      .map((record) => [record, describedRoute(record, components, sources, options)] as const),
  );
  for (const { record, template, method } of formsOf([...routes.keys()], paths)) {
    const route = routes.get(record);
    if (route === undefined) continue;
    paths.add(template, method, (names) => {
      const operationId = ids.next(record, method);
      const operation = describeOperation(route, { template, names, operationId });
      for (const tag of operation.tags ?? []) tags.add(tag);
      return operation;
    });
  }
  const { securitySchemes } = components;
  return {
    openapi: "3.1.0",
    info: { title: "API", version: "1.0.0", ...options.info },
    // Without it the meaning is the same (OpenAPI 3.1, section 4.8.1.1), but linters demand it.
    servers: options.servers ?? [{ url: "/" }],
    ...(tags.size === 0 ? {} : { tags: describedTags(tags, options.tags ?? []) }),
    paths: paths.toObject(),
    components: {
      schemas: components.schemas,
      ...(Object.keys(securitySchemes).length === 0 ? {} : { securitySchemes }),
    },
  };
}

/**
 * Yields the operations to document, the most specific first: full patterns; then variants without optional
 * segments, and routes for all methods, unless another route handles them.
 */
function* formsOf(records: readonly RouteRecord[], paths: PathTable): Generator<Form> {
  const forms = records.flatMap((record) =>
    pathTemplates(record.pattern).map((template) => ({ record, template })),
  );
  const isOfAll = ({ record }: { record: RouteRecord }): boolean => record.method === "ALL";
  const ofOneMethod = forms.filter((form) => !isOfAll(form));
  for (const { record, template } of ofOneMethod) {
    if (template.omitted === 0) yield { record, template, method: record.method };
  }
  const remaining = [
    ...ofOneMethod.filter(({ template }) => template.omitted > 0),
    ...forms.filter(isOfAll),
  ];
  for (const { record, template } of remaining) {
    for (const method of isOfAll({ record }) ? methodsOfAll : [record.method]) {
      if (!paths.isTaken(template, method)) yield { record, template, method };
    }
  }
}

function describedRoute(
  record: RouteRecord,
  components: Components,
  { middleware, instanceSchemas }: OpenApiSources,
  { exact = false }: OpenApiDocumentOptions,
): DescribedRoute {
  const usedBy = `${record.method} ${record.pattern}`;
  const own = record.middleware.map((reference) => middleware.resolve(reference, usedBy));
  const { handler } = record;
  // UNSAFE: a function handler is never a key of the map, so the lookup yields undefined.
  const ofInstance = instanceSchemas?.get(handler as ControllerClass);
  return {
    record,
    input: routeInput(record, ofInstance),
    middleware: record.bypassMiddleware ? own : [...middleware.global, ...own],
    components,
    isExact: exact,
  };
}

function describedTags(
  names: ReadonlySet<string>,
  described: readonly TagObject[],
): readonly TagObject[] {
  return [...names].map((name) => described.find((tag) => tag.name === name) ?? { name });
}

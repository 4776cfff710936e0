import type { MiddlewareRegistry } from "../pipeline/registry.ts";
import type { ControllerClass, RouteRecord } from "../routing/route.ts";
import type { RouteValidation } from "../validation/rules.ts";
import { Components, type ErrorDocumentation } from "./components.ts";
import type { DescribedRoute } from "./describe-context.ts";
import type { InfoObject, OpenApiDocument, ServerObject, TagObject } from "./document.ts";
import { describeOperation } from "./operation.ts";
import { OperationIds } from "./operation-ids.ts";
import { PathTable } from "./path-table.ts";
import { type PathTemplate, pathTemplates } from "./path-template.ts";
import { routeInput } from "./route-input.ts";
import type { ToJsonSchema } from "./standard-json-schema.ts";

/** What a document says beside what the routes tell. */
export interface OpenApiDocumentOptions {
  /** Title and version of the API; default "API" and "1.0.0". */
  readonly info?: Partial<InfoObject>;
  /** Where the API is; without it, where the document is. */
  readonly servers?: readonly ServerObject[];
  /** Descriptions of tags, and their order. */
  readonly tags?: readonly TagObject[];
  /** Turns schemas of a library into JSON Schema that has no export of its own. */
  readonly toJsonSchema?: ToJsonSchema;
  /** The form of every error, where `app.onError` answers in another one than Problem Details. */
  readonly errors?: ErrorDocumentation;
  /**
   * Also describes what validation lets through out of kindness, such as null for an optional
   * field; default false.
   */
  readonly exact?: boolean;
}

/** What a document is made of. */
export interface OpenApiSources {
  readonly middleware: MiddlewareRegistry;
  /** The `schema` fields of controllers' instances, where they are known. */
  readonly instanceSchemas?: ReadonlyMap<ControllerClass, RouteValidation>;
}

/** The methods by which a route of every method is described. */
const methodsOfAll: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

interface Form {
  readonly record: RouteRecord;
  readonly template: PathTemplate;
  readonly method: string;
}

/**
 * Describes routes as an OpenAPI 3.1.0 document: every one once, and one with optional segments
 * under each of its paths. Internal routes are left out.
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
    ...(options.servers === undefined ? {} : { servers: options.servers }),
    ...(tags.size === 0 ? {} : { tags: describedTags(tags, options.tags ?? []) }),
    paths: paths.toObject(),
    components: {
      schemas: components.schemas,
      ...(Object.keys(securitySchemes).length === 0 ? {} : { securitySchemes }),
    },
  };
}

/**
 * What there is to describe, the most particular first: whole patterns; then those without their
 * optional segments, and routes of every method, where no other route answers.
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
  // A function handler is in no map of classes, and so has no schema of instances.
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

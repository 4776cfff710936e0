import { EspalierError } from "../errors.ts";
import { nearestNames } from "../util/nearest-names.ts";
import type { HandlerOf, NoSurroundings, Surroundings } from "./handler-context.ts";
import type { GroupOptions, RouteOptions } from "./route.ts";

/** The handlers of a resource; actions without a handler are not registered. */
export interface ResourceHandlers<
  Collection extends object,
  Member extends object,
  Around extends Surroundings = NoSurroundings,
> {
  /** GET /: lists the resources. */
  readonly index?: HandlerOf<Collection, "", Around, RouteOptions>;
  /** POST /: creates a resource. */
  readonly store?: HandlerOf<Collection, "", Around, RouteOptions>;
  /** GET /:id */
  readonly show?: HandlerOf<Member, "", Around, RouteOptions>;
  /** PUT and PATCH /:id */
  readonly update?: HandlerOf<Member, "", Around, RouteOptions>;
  /** DELETE /:id */
  readonly destroy?: HandlerOf<Member, "", Around, RouteOptions>;
}

/** The options of a resource: those of a group, and the name of the path parameter. */
export interface ResourceOptions<Param extends string = string> extends GroupOptions {
  /** Name of the path parameter, without the colon; `"id"` by default. */
  readonly param?: Param;
}

type Action = keyof ResourceHandlers<object, object>;

/** One action of a resource, with its method and path. */
export interface ResourceAction {
  readonly action: Action;
  readonly methods: readonly string[];
  readonly path: string;
}

/** Returns the actions of a resource; the path parameter `param` identifies a member. */
export function resourceActions(param: string): readonly ResourceAction[] {
  const member = `/:${param}`;
  return [
    { action: "index", methods: ["GET"], path: "/" },
    { action: "store", methods: ["POST"], path: "/" },
    { action: "show", methods: ["GET"], path: member },
    { action: "update", methods: ["PUT", "PATCH"], path: member },
    { action: "destroy", methods: ["DELETE"], path: member },
  ];
}

/**
 * Refuses unknown actions, a resource without actions, and an invalid parameter name.
 *
 * @throws EspalierError `ERR_ROUTE_BAD_OPTION`
 */
export function checkResource(path: string, handlers: object, param: string): void {
  const known: readonly string[] = resourceActions(param).map(({ action }) => action);
  const given = Object.keys(handlers);
  const unknown = given.find((action) => !known.includes(action));
  if (unknown !== undefined || given.length === 0) {
    const problem =
      unknown === undefined
        ? `has no action. Known: ${known.join(", ")}.`
        : `has an unknown action "${unknown}".${nearestNames(unknown, known)}`;
    throw new EspalierError("ERR_ROUTE_BAD_OPTION", `The resource ${path} ${problem}`);
  }
  // `:book-id` would be parsed as the parameter `book` and the text `-id`.
  if (!/^[A-Za-z_$][\w$]*$/.test(param)) {
    throw new EspalierError(
      "ERR_ROUTE_BAD_OPTION",
      `The option "param" of the resource ${path} must be a name of letters, digits, _ and $ ` +
        `that does not start with a digit, got ${JSON.stringify(param)}.`,
    );
  }
}

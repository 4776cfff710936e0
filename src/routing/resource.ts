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

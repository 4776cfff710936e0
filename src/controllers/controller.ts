import { EspalierError } from "../errors.ts";
import type { RequestContext } from "../http/context.ts";
import type { FieldError } from "../http/http-error.ts";
import * as responses from "../http/responses.ts";
import type { BodyInit, HeadersInit } from "../http/web-types.ts";
import type { FrameworkApplication } from "../register.ts";
import type { LooseRuleMap } from "../validation/rules.ts";
import { LifecycleHooks } from "./lifecycle-hooks.ts";
import type { ControllerSchemas, SourceValue } from "./schemas.ts";

/**
 * The class behind a route (specification, Controller): one instance answers one request.
 *
 * ```ts
 * class ShowBook extends Controller {
 *   async handle() {
 *     return this.success({ id: this.context.params.id });
 *   }
 * }
 * router.get("/books/:id", ShowBook);
 * ```
 *
 * `static inject = ["books", "clock"]` gives the constructor these services, in this order.
 */
export abstract class Controller extends LifecycleHooks {
  // `inject` is a member of `ControllerClass`, which is what a route takes. Declared here it would want
  // `override` under the compiler option `noImplicitOverride`, which a class of `Controller.for` must not have.

  #context: RequestContext | undefined;

  /** The request that this instance answers; set after construction, before any hook. */
  protected get context(): RequestContext {
    return this.#context ?? refuseContext(this.constructor.name);
  }

  /** @internal */
  protected set context(ctx: RequestContext) {
    this.#context = ctx;
  }

  /** Rules for the input, under those of the route; read once for each class. */
  declare protected readonly schema?: LooseRuleMap;

  /** Answers the request. */
  abstract handle(ctx: RequestContext): Response | Promise<Response>;

  /** The application. */
  protected get app(): FrameworkApplication {
    return this.context.app;
  }

  /** `{ "success": true, "data": … }`, status 200. */
  protected success(data?: unknown, status?: number, headers?: HeadersInit): Response {
    return responses.success(data, status, headers);
  }

  /** The data as JSON without an envelope, status 200. */
  protected json(data: unknown, status?: number, headers?: HeadersInit): Response {
    return responses.json(data, status, headers);
  }

  /** `{ "success": false, "message": …, "errors"?: … }`, status 400. */
  protected error(message: string, status?: number, errors?: readonly FieldError[]): Response {
    return responses.error(message, status, errors);
  }

  /** The 422 Problem Details of a failed validation, with `instance` and `traceId`. */
  protected validationError(errors: readonly FieldError[]): Response {
    const { url, id } = this.context;
    return responses.validationError(errors, { instance: url.href, traceId: id });
  }

  /** Plain text, status 200. */
  protected text(content: string, status?: number, headers?: HeadersInit): Response {
    return responses.text(content, status, headers);
  }

  /** An HTML page, status 200. */
  protected html(content: string, status?: number, headers?: HeadersInit): Response {
    return responses.html(content, status, headers);
  }

  /** A redirect, status 302; 301, 303, 307 and 308 are possible. A relative URL stays relative. */
  protected redirect(url: string, status?: number): Response {
    return responses.redirect(url, status);
  }

  /** Status 201 with the `success` envelope, and a `Location` when given. */
  protected created(data?: unknown, location?: string): Response {
    return responses.created(data, location);
  }

  /** Status 204 without a body. */
  protected noContent(): Response {
    return responses.noContent();
  }

  /** A body that is sent while it is produced. */
  protected stream(
    content: Parameters<typeof responses.stream>[0],
    options?: responses.StreamOptions,
  ): Response {
    return responses.stream(content, options);
  }

  /** Server-sent events from an async iterable. */
  protected sse(
    events: Parameters<typeof responses.sse>[0],
    options?: responses.SseOptions,
  ): Response {
    return responses.sse(events, options);
  }

  /** A download, or a file to show with `inline: true`. */
  protected file(body: BodyInit, options?: responses.FileOptions): Response {
    return responses.file(body, options);
  }

  /**
   * A base class whose `this.params`, `this.query`, `this.body` and `this.headers` have the types of these
   * schemas: rule maps, or Standard Schemas such as Zod's.
   *
   * ```ts
   * class CreateBook extends Controller.for({ body: { title: { type: "string", required: true } } }) {
   *   async handle() {
   *     return this.created({ title: this.body.title.trim() });
   *   }
   * }
   * ```
   */
  static for<const Schemas extends ControllerSchemas>(
    schemas: Schemas,
  ): TypedControllerClass<Schemas> {
    abstract class SchemaController extends TypedController<Schemas> {
      static readonly validation: Schemas = schemas;
    }
    return SchemaController;
  }
}

/** An `undefined` would fail with an error of the engine that names neither the class nor the way out. */
function refuseContext(controller: string): never {
  throw new EspalierError(
    "ERR_PIPELINE_NO_CONTEXT",
    `The constructor of ${controller} reads this.context, which is set after it. So are this.app, ` +
      "this.params, this.query and this.body. Read them in handle() or beforeHandle().",
  );
}

/** What {@link Controller.for} returns. */
export type TypedControllerClass<Schemas extends ControllerSchemas> =
  (abstract new () => TypedController<Schemas>) & {
    readonly validation: Schemas;
  };

/**
 * A controller whose input is typed by its schemas; made by {@link Controller.for}.
 *
 * @example class ShowPage extends Controller.for({ query: { page: { type: "integer", default: 1 } } }) {}
 */
export abstract class TypedController<Schemas extends ControllerSchemas> extends Controller {
  /** The path parameters: validated, or as strings where no schema is given. */
  protected get params(): SourceValue<Schemas, "params", Record<string, string>> {
    return this.#source("params", this.context.params);
  }

  /** The query parameters: validated, or as strings where no schema is given. */
  protected get query(): SourceValue<Schemas, "query", Record<string, string>> {
    return this.#source("query", this.context.query);
  }

  /** The body: validated, or as parsed where no schema is given. */
  protected get body(): SourceValue<Schemas, "body", unknown> {
    return this.#source("body", this.context.body);
  }

  /** The request headers: validated, by their names in lower case, or as they are without a schema. */
  protected get headers(): SourceValue<Schemas, "headers", Headers> {
    return this.#source("headers", this.context.headers);
  }

  /** Validation has run by now, so each source has the type that its schema promises. */
  #source<Value>(name: keyof ControllerSchemas, unvalidated: unknown): Value {
    const validated = this.context.validated as Readonly<Record<string, unknown>> | undefined;
    return (validated !== undefined && name in validated ? validated[name] : unvalidated) as Value;
  }
}

import { EspalierError } from "../errors.ts";
import type { RequestContext } from "../http/context.ts";
import type { FieldError } from "../http/http-error.ts";
import type { ErrorBody, Reply, TextBody } from "../http/reply.ts";
import * as responses from "../http/responses.ts";
import * as streams from "../http/stream-responses.ts";
import type { BodyInit, HeadersInit } from "../http/web-types.ts";
import type { FrameworkApplication } from "../register.ts";
import { checkResponseStatuses } from "../routing/registration.ts";
import { checkOptionNames, type OptionNames } from "../util/options.ts";
import { pickSources } from "../validation/pick-sources.ts";
import type { LooseRuleMap } from "../validation/rules.ts";
import type { Strict } from "../validation/strict-options.ts";
import type { ContractUser, ControllerContract, InjectedServices } from "./contract.ts";
import type { ContractController } from "./contract-controller.ts";
import { type ControllerLifecycle, lifecycle } from "./lifecycle.ts";
import { LifecycleHooks } from "./lifecycle-hooks.ts";
import type { ControllerSchemas, SourceValue } from "./schemas.ts";

/**
 * Base class of a route's controller: one instance handles one request.
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
 * `static inject = ["books", "clock"]` passes these services to the constructor, in this order.
 */
export abstract class Controller extends LifecycleHooks {
  // `inject` is declared by `ControllerClass`, the type that a route takes. Declared here, it would require
  // `override` under `noImplicitOverride`, which a class of `Controller.for` must not have.

  /**
   * Runs the controllers of routes; a bundle has it only with a class that extends this one.
   *
   * @internal
   */
  static readonly controllerLifecycle: ControllerLifecycle = lifecycle;

  #context: RequestContext | undefined;

  /** Context of the request that this instance handles; set after construction, before any hook. */
  protected get context(): RequestContext {
    return this.#context ?? refuseContext(this.constructor.name);
  }

  /** @internal */
  protected set context(ctx: RequestContext) {
    this.#context = ctx;
  }

  /** Validation rules of the input, overridden by those of the route; read once per class. */
  declare protected readonly schema?: LooseRuleMap;

  /** Handles the request and returns its response. */
  abstract handle(ctx: RequestContext): Response | Promise<Response>;

  /** The application. */
  protected get app(): FrameworkApplication {
    return this.context.app;
  }

  /** Returns `{ "success": true, "data": … }`, status 200. */
  protected success(data?: unknown, status?: number, headers?: HeadersInit): Response {
    return responses.success(data, status, headers);
  }

  /** Returns the data as JSON without an envelope, status 200. */
  protected json(data: unknown, status?: number, headers?: HeadersInit): Response {
    return responses.json(data, status, headers);
  }

  /** Returns `{ "success": false, "message": …, "errors"?: … }`, status 400. */
  protected error<const Status extends number = 400>(
    message: string,
    status?: Status,
    errors?: readonly FieldError[],
  ): Reply<Status, ErrorBody> {
    return responses.error(message, status, errors);
  }

  /** Returns the 422 Problem Details of a failed validation, with `instance` and `traceId`. */
  protected validationError(errors: readonly FieldError[]): Reply<422> {
    const { url, id } = this.context;
    return responses.validationError(errors, { instance: url.href, traceId: id });
  }

  /** Returns plain text, status 200. */
  protected text<const Status extends number = 200>(
    content: string,
    status?: Status,
    headers?: HeadersInit,
  ): Reply<Status, TextBody> {
    return responses.text(content, status, headers);
  }

  /** Returns an HTML page, status 200. */
  protected html<const Status extends number = 200>(
    content: string,
    status?: Status,
    headers?: HeadersInit,
  ): Reply<Status, TextBody> {
    return responses.html(content, status, headers);
  }

  /** Returns a redirect, status 302; 301, 303, 307 and 308 are possible. A relative URL stays relative. */
  protected redirect(
    url: string | URL,
    status?: number,
  ): Reply<301 | 302 | 303 | 307 | 308, undefined> {
    return responses.redirect(url, status);
  }

  /** Returns status 201 with the `success` envelope, and a `Location` header if given. */
  protected created(data?: unknown, location?: string | URL): Response {
    return responses.created(data, location);
  }

  /** Returns status 204 without a body. */
  protected noContent(): Reply<204, undefined> {
    return responses.noContent();
  }

  /** Returns a streaming response: the body is sent while it is produced. */
  protected stream(
    content: Parameters<typeof streams.stream>[0],
    options?: streams.StreamOptions,
  ): Response {
    return streams.stream(content, options);
  }

  /** Returns server-sent events from an async iterable. */
  protected sse(events: Parameters<typeof streams.sse>[0], options?: streams.SseOptions): Response {
    return streams.sse(events, options);
  }

  /** Returns a file download, or with `inline: true` a file to display. */
  protected file(body: BodyInit, options?: responses.FileOptions): Response {
    return responses.file(body, options);
  }

  /**
   * Returns a base class for a controller with this contract: `this.params`, `this.query`, `this.body` and
   * `this.headers` are typed by its schemas (rule maps, or Standard Schemas such as Zod's), `this.services` has
   * the services of `inject`, and `this.user` is the user that its `middleware` requires.
   *
   * ```ts
   * class CreateBook extends Controller.for({
   *   inject: ["books"],
   *   middleware: ["auth"],
   *   body: { title: { type: "string", required: true } },
   * }) {
   *   async handle() {
   *     return this.created(await this.services.books.add(this.body.title, this.user.id));
   *   }
   * }
   * ```
   *
   * @throws EspalierError `ERR_ROUTE_BAD_OPTION` for an unknown key, or a response that is not listed by its status
   */
  static for<const Given extends ControllerContract & Strict<Given, ControllerContract>>(
    contract: Given,
  ): TypedControllerClass<Given> {
    checkOptionNames(contractOwner, contract, contractNames);
    checkResponseStatuses(contractOwner, contract.responses);
    abstract class ContractController extends TypedController<Given> {
      static readonly contract: Given = contract;
      static readonly validation: ControllerSchemas | undefined = pickSources(contract);
    }
    // Unchecked cast: the class of a contract differs in the types of its helpers alone.
    return ContractController as unknown as TypedControllerClass<Given>;
  }
}

const contractOwner = { code: "ERR_ROUTE_BAD_OPTION", name: "Controller.for()" } as const;

const contractNames: OptionNames<ControllerContract> = {
  inject: true,
  middleware: true,
  responses: true,
  params: true,
  query: true,
  body: true,
  headers: true,
};

/** Throws a helpful error; `undefined` would cause a TypeError that names neither the class nor the fix. */
function refuseContext(controller: string): never {
  throw new EspalierError(
    "ERR_PIPELINE_NO_CONTEXT",
    `The constructor of ${controller || "a controller"} reads this.context, which is set after construction. So are this.app, ` +
      "this.params, this.query, this.body, this.user and this.services. Read them in handle() or " +
      "beforeHandle().",
  );
}

/** The class that {@link Controller.for} returns. */
export type TypedControllerClass<Contract extends ControllerContract> =
  (abstract new () => ContractController<Contract>) & {
    readonly contract: Contract;
    readonly validation: ControllerSchemas | undefined;
  };

/**
 * A controller with a contract; created by {@link Controller.for}.
 *
 * @example class ShowPage extends Controller.for({ query: { page: { type: "integer", default: 1 } } }) {}
 */
export abstract class TypedController<Contract extends ControllerContract> extends Controller {
  #services: InjectedServices<Contract> | undefined;

  /** The services that the contract injects, by name. */
  protected get services(): InjectedServices<Contract> {
    return this.#services ?? refuseContext(this.constructor.name);
  }

  /** @internal */
  protected set services(services: InjectedServices<Contract>) {
    this.#services = services;
  }

  /** The user of the request: present if the contract lists middleware that requires one. */
  protected get user(): ContractUser<Contract> {
    // Unchecked cast: the middleware has run by now.
    return this.context.user as ContractUser<Contract>;
  }

  /** The path parameters: validated, or strings if no schema is given. */
  protected get params(): SourceValue<Contract, "params", Record<string, string>> {
    return this.#source("params", this.context.params);
  }

  /** The query parameters: validated, or strings if no schema is given. */
  protected get query(): SourceValue<Contract, "query", Record<string, string>> {
    return this.#source("query", this.context.query);
  }

  /** The body: validated, or as parsed if no schema is given. */
  protected get body(): SourceValue<Contract, "body", unknown> {
    return this.#source("body", this.context.body);
  }

  /** The request headers: validated, by lower-case name, or the `Headers` object if no schema is given. */
  protected get headers(): SourceValue<Contract, "headers", Headers> {
    return this.#source("headers", this.context.headers);
  }

  /** Unchecked cast: validation has run by now, so each source has the type of its schema. */
  #source<Value>(name: keyof ControllerSchemas, unvalidated: unknown): Value {
    const validated = this.context.validated as Readonly<Record<string, unknown>> | undefined;
    return (validated !== undefined && name in validated ? validated[name] : unvalidated) as Value;
  }
}

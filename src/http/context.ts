import type {
  Env,
  FrameworkApplication,
  ResolvableName,
  Resolved,
  State,
  UnnamedService,
  User,
} from "../register.ts";
import type { RequestBody } from "./context-body.ts";
import type { ContextInput, MatchedRoute, ServiceScope } from "./context-input.ts";
import type { Cookies } from "./cookies.ts";
import { HttpError } from "./http-error.ts";
import type { MultipartLimits } from "./multipart/limits.ts";
import type { Part } from "./multipart/part.ts";
import { type ParsedQuery, parseQuery } from "./query.ts";
import { requestId } from "./request-id.ts";
import type { CompleteParts } from "./request-parts.ts";
import type { TraceContext } from "./trace-context.ts";

/**
 * The context of one request, passed to every middleware and handler.
 *
 * Expensive properties are computed on first access and cached.
 *
 * @typeParam Params the type of {@link params}: inferred from the pattern for a function handler
 * @example router.get("/books/:id", (ctx) => json({ id: ctx.params.id, by: ctx.ip }));
 */
export class RequestContext<Params extends object = Record<string, string>> {
  /** The authenticated user, set by an authentication middleware; null if optional auth found none. */
  user: User | null | undefined = undefined;
  /** The validated values, coerced to their types. */
  validated: unknown = undefined;
  /** The current response; set once the handler has returned. */
  response: Response | undefined = undefined;

  #error: unknown = undefined;
  #makeError: (() => unknown) | undefined;
  readonly #input: ContextInput;
  /** Undefined if no body is parsed. */
  readonly #body: RequestBody | undefined;
  #id: string | undefined;
  #url: URL | undefined;
  #query: ParsedQuery | undefined;
  #state: State | undefined;
  #cookies: Cookies | undefined;
  #scope: ServiceScope | undefined;
  #hasFailedBody = false;

  /**
   * Keeps the shape of the instances. Between two requests there may be none: a full garbage collection of V8 would drop
   * the shape, and with it all code that was optimised for it.
   *
   * @internal
   */
  static readonly internalSample: object = /* @__PURE__ */ new RequestContext({} as ContextInput);

  constructor(input: ContextInput) {
    const { bodyParsing } = input;
    this.#input = input;
    this.#body = bodyParsing && new bodyParsing.reader.RequestBody(input, bodyParsing);
  }

  /**
   * The request, created on first access. After the body has been parsed, it can be read once more, from the
   * buffered bytes.
   */
  get request(): Request {
    return this.#body?.request ?? this.#input.request;
  }

  /**
   * Reads and parses the body: JSON, urlencoded and multipart forms. The result is cached and shared by all
   * callers; it is `undefined` for a request without a body, for a body of another type, for an unmatched request,
   * and with `bodyParser: false`.
   *
   * None of the body is read earlier. It runs before validation and handlers; a middleware that needs the
   * body must call it.
   *
   * @throws {HttpError} 400 when the body is malformed or breaks off, 413 over a limit, 415 for an unknown
   *   charset or any content encoding, 503 while too many bodies are buffered
   * @example
   * const signed: Middleware = async (ctx, next) => {
   *   await ctx.parseBody();
   *   return (await isSigned(ctx.rawBody, ctx.headers)) ? next() : error("Bad signature", 401);
   * };
   */
  parseBody(): Promise<unknown> {
    return this.#body?.parse() ?? Promise.resolve();
  }

  /**
   * The parsed body: JSON, or an object of form fields; undefined for a request without one. Available in
   * handlers; a middleware must call {@link parseBody} first.
   *
   * @throws EspalierError `ERR_HTTP_BODY_NOT_PARSED` before the body is parsed, until there is a response
   */
  get body(): unknown {
    return this.#body?.read("body", this.response !== undefined)?.body;
  }

  /**
   * The bytes of the parsed body; undefined if it is missing or its type is not parsed.
   *
   * @throws EspalierError `ERR_HTTP_BODY_NOT_PARSED` before the body is parsed
   */
  get rawBody(): Uint8Array<ArrayBuffer> | undefined {
    const bytes = this.#body?.read("rawBody", this.response !== undefined)?.rawBody;
    // Some platforms have an empty stream for a missing body.
    return bytes?.length === 0 ? undefined : bytes;
  }

  /**
   * Yields the parts of a multipart body while it arrives, to store uploads without buffering them.
   * The route needs the option `bodyParser: false`. A part that is not read is skipped.
   *
   * @param limits of the form and its parts; the defaults allow any number of bytes
   * @throws {HttpError} 400 when the form is malformed, 413 over a limit, 415 for an unsupported charset or
   *   transfer encoding
   * @example
   * for await (const part of ctx.parts({ maxFileBytes: 1024 ** 3 })) {
   *   if (part.filename !== undefined) await ctx.env.UPLOADS.put(crypto.randomUUID(), part.body);
   * }
   */
  parts(limits?: MultipartLimits): AsyncGenerator<Part, undefined, undefined> {
    return this.#parts.multipart.stream(this.#input, limits);
  }

  /** The method of the request, unchanged. */
  get method(): string {
    return this.#input.method;
  }

  /** The headers of the request. */
  get headers(): Headers {
    return this.#input.request.headers;
  }

  /**
   * The full URL of the request as a string; dot segments are resolved. Behind the proxies of `trustProxy`
   * with the scheme and host of `X-Forwarded-Proto` and `X-Forwarded-Host`, or else of `Forwarded`.
   */
  get href(): string {
    return this.#input.url;
  }

  /** The parsed URL of the request. */
  get url(): URL {
    this.#url ??= new URL(this.#input.url);
    return this.#url;
  }

  /**
   * Correlation id of the request: its `X-Request-Id` if that consists of 1 to 128 visible ASCII characters
   * that are safe in a log line, else a UUID.
   */
  get id(): string {
    this.#id ??= requestId(this.#input.request.headers);
    return this.#id;
  }

  /**
   * The distributed trace of the request: from its `traceparent` header, else a new one. Send
   * `ctx.trace.traceparent` with requests to other services.
   */
  get trace(): TraceContext {
    this.#input.trace ??= this.#parts.trace(this.#input.request.headers);
    return this.#input.trace;
  }

  /** Path parameters by name, percent-decoded once; an object without prototype. */
  get params(): Params {
    // Unchecked cast: the pattern determines the keys, and the router returns plain strings.
    return this.#input.match.params as Params;
  }

  /** Query parameters by name; the last value of a repeated name. An object without prototype. */
  get query(): Record<string, string> {
    return this.#parsedQuery().values;
  }

  /** Returns all values of one query parameter, in order; empty if it is absent. */
  queries(name: string): readonly string[] {
    return this.#parsedQuery().all(name);
  }

  #parsedQuery(): ParsedQuery {
    this.#query ??= parseQuery(this.#input.url);
    return this.#query;
  }

  /** Values shared by middleware and handler during this request; an object without prototype. */
  get state(): State {
    // Without a prototype, so that any name is safe as a key.
    this.#state ??= Object.create(null) as State;
    return this.#state;
  }

  /** The cookies of the request, and those to set on the response. */
  get cookies(): Cookies {
    this.#cookies ??= this.#parts.cookies(this.#input.request.headers);
    return this.#cookies;
  }

  /** The matched route; undefined for an unmatched request (404, 405). */
  get route(): MatchedRoute | undefined {
    return this.#input.route;
  }

  /** The application. */
  get app(): FrameworkApplication {
    return this.#input.services.application;
  }

  /** The bindings and variables passed with this request, else those of the process. */
  get env(): Env {
    return this.#input.platform.env ?? this.#input.services.ownEnvironment();
  }

  /**
   * The client's IP address in canonical form; undefined if the platform provides none.
   *
   * `CF-Connecting-IP` on Cloudflare, the socket's address on other platforms. `X-Forwarded-For`, or else
   * `Forwarded`, is used only behind the proxies of the application's `trustProxy`, from the right.
   */
  get ip(): string | undefined {
    return this.#parts.clientAddress.find(this.#input);
  }

  get #parts(): CompleteParts {
    return this.#input.services.options.parts;
  }

  /**
   * Lets the platform finish `promise` after the response has been sent. A rejection is logged.
   *
   * @throws EspalierError `ERR_APPLICATION_BAD_WORK` for a function: call it, and pass its promise
   */
  waitUntil(promise: Promise<unknown>): void {
    const { services, platform } = this.#input;
    services.background.add(promise, platform.executionContext);
  }

  /**
   * Resolves the service registered under `name`; a scoped one is created once per request.
   *
   * @throws EspalierError when nothing is registered under that name
   */
  resolve<Service = UnnamedService, Name extends ResolvableName = ResolvableName>(
    name: Name,
  ): Resolved<Service, Name>;
  resolve(name: string): unknown {
    const { services, platform } = this.#input;
    this.#scope ??= services.createScope(this);
    const service = this.#scope.resolve(name);
    // If this client disconnects, the platform would cancel the creation of a service that others await.
    if (service instanceof Promise) {
      services.background.keepAlive(service, platform.executionContext);
    }
    return service;
  }

  /**
   * Returns the user, for handlers whose types do not show that a middleware requires one.
   *
   * @throws {HttpError} 401 without a user
   */
  requireUser(): NonNullable<User> {
    const { user } = this;
    if (user === null || user === undefined) {
      throw new HttpError(401, "Valid credentials are required.");
    }
    return user;
  }

  /** The error that the current response was rendered from. */
  get error(): unknown {
    if (this.#makeError !== undefined) this.error = this.#makeError();
    return this.#error;
  }

  set error(error: unknown) {
    this.#error = error;
    this.#makeError = undefined;
  }

  /** Sets a lazy factory for the error of a response that exists already. @internal */
  static useError(ctx: RequestContext<object>, make: () => unknown): void {
    ctx.#makeError = make;
  }

  /**
   * The input of the context, which middleware of the framework may extend. Not a static method: code that is loaded later
   * would import the class, and bundlers for Workers wrap what such code imports in a function.
   *
   * @internal
   */
  get internalInput(): ContextInput {
    return this.#input;
  }

  /**
   * Reports once that the body of the response failed while it was sent.
   *
   * @param isExpected true if `stop()` has caused it; a client that has left is recognised here
   * @internal
   */
  static failBody(ctx: RequestContext<object>, error: unknown, isExpected: boolean): void {
    if (ctx.#hasFailedBody) return;
    ctx.#hasFailedBody = true;
    const { services, request, onBodyFailure } = ctx.#input;
    const isAbort = isExpected || request.signal.aborted;
    services.bodyFailures.report(ctx as RequestContext, error, isAbort);
    if (!isAbort) onBodyFailure?.();
  }

  /** The body of the request; undefined if none is parsed. @internal */
  get internalBody(): RequestBody | undefined {
    return this.#body;
  }

  /** Returns the cookies if they have been accessed, else undefined. @internal */
  static usedCookies(ctx: RequestContext<object>): Cookies | undefined {
    return ctx.#cookies;
  }
}

declare module "../register.ts" {
  interface FrameworkTypes {
    readonly context: RequestContext;
  }
}

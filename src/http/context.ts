import { EspalierError } from "../errors.ts";
import type { EventEmitter } from "../events/event-emitter.ts";
import type { UpgradeSlot } from "../platform/websocket/upgrade-slot.ts";
import type { Env, FrameworkApplication, Services, User } from "../register.ts";
import type { RouteMatch } from "../routing/route-match.ts";
import { isParsed, limitRequestBody, limitUnparsedBody, readBody, rebuildRequest } from "./body.ts";
import type { BodyLimits } from "./body-limits.ts";
import { clientAddress, type TrustedProxies } from "./client-address.ts";
import { Cookies } from "./cookies.ts";
import { bodyKind } from "./media-type.ts";
import type { MultipartLimits } from "./multipart/limits.ts";
import type { Part } from "./multipart/part.ts";
import type { OpenStreams } from "./open-streams.ts";
import { type ParsedQuery, parseQuery } from "./query.ts";
import { requestId } from "./request-id.ts";
import type { UrlResolver } from "./request-url.ts";
import { createTraceContext, type TraceContext } from "./trace-context.ts";

/** What a platform gives beside the request: Cloudflare's `ExecutionContext` has this shape. */
export interface ExecutionContext {
  /** Keeps the platform alive until the promise is settled. */
  waitUntil(promise: Promise<unknown>): void;
}

/** The route that answers a request, as it was registered. */
export interface MatchedRoute {
  /** Upper case; `ALL` for a route of every method. */
  readonly method: string;
  /** The whole pattern, with the prefixes of its groups: `/api/users/:id`. */
  readonly pattern: string;
  /** The name given in the route's options, with those of its groups. */
  readonly name: string | undefined;
  /** True, and else absent, for routes that are tools: health checks are not limited nor described. */
  readonly internal?: true;
}

/** The services as one request sees them. */
export interface ServiceScope {
  resolve(name: string): unknown;
}

/** What a context needs of the application it is made for. */
export interface RequestServices {
  readonly application: FrameworkApplication;
  readonly events: EventEmitter;
  /** Streams that are being sent; `stop()` ends them. */
  readonly openStreams: OpenStreams;
  /** Whether anything listens to `request.completed`. */
  reportsCompletion(): boolean;
  readonly trustProxy: TrustedProxies;
  readonly resolveUrl: UrlResolver;
  /** Whether the server holds bodies to their `Content-Length`, so that it can be believed. */
  readonly isFramed: boolean;
  /** Whether the server takes `Content-Length` from the body, in the answer to HEAD as well: Deno and Bun. */
  readonly countsBodies: boolean;
  /** True on Cloudflare, where `CF-Connecting-IP` is set by the platform and not by the client. */
  readonly onCloudflare: boolean;
  /** Bindings and variables for a request that brings none. */
  environment(): Env;
  /** A place for the services of one request, the context among them. */
  createScope(ctx: RequestContext<object>): ServiceScope;
  /** Takes on work that nobody awaits; its rejection goes to the logger. */
  background(work: Promise<unknown>, invocation: PlatformArguments): void;
  /** Keeps the platform from ending a promise that somebody else handles. */
  keepAlive(work: Promise<unknown>, invocation: PlatformArguments): void;
}

/** What a platform gives `fetch` beside the request, whatever its order and shape. */
export interface PlatformArguments {
  readonly env: Env | undefined;
  readonly executionContext: ExecutionContext | undefined;
  /** The client's address where the platform tells it here and not on the request. */
  readonly socketAddress: string | undefined;
  /** Whether a server has put the target of the request line into the URL as it was sent: Deno and Bun. */
  readonly hasRawTarget?: boolean;
  /** Where a server that can make a WebSocket of this request learns that it is to. */
  readonly upgradeSlot?: UpgradeSlot;
}

/** Everything that is known when a context is made. */
export interface ContextInput {
  readonly services: RequestServices;
  readonly request: Request;
  readonly method: string;
  /** The URL of the request, whole and resolved. */
  readonly url: string;
  readonly platform: PlatformArguments;
  readonly match: RouteMatch;
  readonly route: MatchedRoute | undefined;
  /** Undefined where no body is parsed: for GET and HEAD, and where `bodyParser` is off. */
  readonly bodyLimits: BodyLimits | undefined;
}

/** The content of a body, as far as it was read. */
export interface ContextBody {
  readonly body: unknown;
  readonly rawBody: Uint8Array<ArrayBuffer> | undefined;
  readonly kind: "json" | "form" | "none";
}

/**
 * One request and all that is known about it, handed to every middleware and handler
 * (specification, RequestContext).
 *
 * What costs something is computed when first asked for, and kept.
 *
 * @typeParam Params the type of {@link params}: inferred from the pattern for a function handler
 * @example router.get("/books/:id", (ctx) => json({ id: ctx.params.id, by: ctx.ip }));
 */
export class RequestContext<Params extends object = Record<string, string>> {
  /** Who is signed in, put here by an authentication middleware; null when optional auth found none. */
  user: User | null | undefined = undefined;
  /** The values that passed validation, coerced to their types. */
  validated: unknown = undefined;
  /** The response so far: set for whoever runs after the handler. */
  response: Response | undefined = undefined;

  #error: unknown = undefined;
  #makeError: (() => unknown) | undefined;
  readonly #input: ContextInput;
  #request: Request | undefined;
  #content: ContextBody | undefined;
  #parsing: Promise<unknown> | undefined;
  #reservedBytes = 0;
  #id: string | undefined;
  #trace: TraceContext | undefined;
  #url: URL | undefined;
  #query: ParsedQuery | undefined;
  #state: Record<string, unknown> | undefined;
  #cookies: Cookies | undefined;
  #scope: ServiceScope | undefined;

  constructor(input: ContextInput) {
    this.#input = input;
  }

  /**
   * The request. After the body has been parsed, its body can be read once more, from the buffered bytes.
   * Created when it is first read.
   */
  get request(): Request {
    this.#request ??= this.#createRequest();
    return this.#request;
  }

  #createRequest(): Request {
    const { request, bodyLimits, services } = this.#input;
    const { rawBody } = this.#content ?? {};
    if (rawBody !== undefined) return rebuildRequest(request, rawBody);
    if (bodyLimits === undefined) return request;
    // Whoever reads the body through the request is held to the same limit as the parser.
    const { limitBytes, multipartLimitBytes } = bodyLimits;
    const kind = bodyKind(request.headers.get("content-type"));
    const limit = kind === "multipart" ? multipartLimitBytes : limitBytes;
    const { readLimitBytes } = limitUnparsedBody(request, limit, services.isFramed);
    return readLimitBytes === undefined ? request : limitRequestBody(request, readLimitBytes);
  }

  /**
   * Reads and parses the body: JSON, urlencoded and multipart forms. The result is kept, so that any number
   * of callers share it; it is `undefined` for a request without a body, for a body of another type, and where
   * `bodyParser` is off.
   *
   * Nothing of a body is read before. Validation and handlers come after it; a middleware that needs the body
   * calls it itself.
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
    this.#parsing ??= this.#parseBody();
    return this.#parsing;
  }

  async #parseBody(): Promise<unknown> {
    const { request, bodyLimits, services } = this.#input;
    if (bodyLimits === undefined) return undefined;
    if (!isParsed(request)) {
      const unparsed = limitUnparsedBody(request, bodyLimits.limitBytes, services.isFramed);
      if (unparsed.failure !== undefined) throw unparsed.failure;
      this.#content = unparsed;
      return undefined;
    }
    const count = (bytes: number): void => {
      bodyLimits.budget.reserve(bytes);
      this.#reservedBytes += bytes;
    };
    // A middleware may have read the body itself, or made the stream that limits it.
    const source = this.#request ?? request;
    if (source.bodyUsed) throw bodyWasUsed();
    this.#content = await readBody(source, bodyLimits, services.isFramed, count);
    this.#request = undefined;
    return this.#content.body;
  }

  /**
   * The parsed body: JSON, or an object of form fields; undefined when there is none. Parsed in handlers;
   * a middleware calls {@link parseBody} first.
   *
   * @throws EspalierError `ERR_HTTP_BODY_NOT_PARSED` before the body is parsed, until there is a response
   */
  get body(): unknown {
    return this.#parsedContent("body")?.body;
  }

  /**
   * The bytes of the parsed body; undefined when there is no body or its type is not parsed.
   *
   * @throws EspalierError `ERR_HTTP_BODY_NOT_PARSED` before the body is parsed
   */
  get rawBody(): Uint8Array<ArrayBuffer> | undefined {
    const bytes = this.#parsedContent("rawBody")?.rawBody;
    // Some platforms have an empty stream where others have none.
    return bytes?.length === 0 ? undefined : bytes;
  }

  /**
   * Yields the parts of a multipart body while it arrives, for uploads that are stored without buffering them.
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
  async *parts(limits?: MultipartLimits): AsyncGenerator<Part, undefined, undefined> {
    const { request, bodyLimits } = this.#input;
    if (bodyLimits !== undefined) throw partsNeedOption(this.route);
    const { parseMultipart } = await import("./multipart/parse-multipart.ts");
    const contentType = request.headers.get("content-type") ?? "";
    return yield* parseMultipart(request.body ?? new Uint8Array(), contentType, limits);
  }

  #parsedContent(member: string): ContextBody | undefined {
    const { request, bodyLimits } = this.#input;
    if (this.#content !== undefined || bodyLimits === undefined) return this.#content;
    // On the way back there may be a response without the body having been needed.
    if (this.response !== undefined || !isParsed(request)) return undefined;
    if (request.headers.get("content-length") === "0" || request.body === null) return undefined;
    throw bodyNotParsed(member, this.route);
  }

  /** The method of the request, as it was sent. */
  get method(): string {
    return this.#input.method;
  }

  /** The headers of the request. */
  get headers(): Headers {
    return this.#input.request.headers;
  }

  /** The URL of the request, whole and unparsed; dot segments are resolved. */
  get href(): string {
    return this.#input.url;
  }

  /** The parsed URL of the request. */
  get url(): URL {
    this.#url ??= new URL(this.#input.url);
    return this.#url;
  }

  /**
   * Correlation id of the request: its `X-Request-Id` if that has 1 to 128 characters of visible ASCII that
   * are safe in a log line, else a UUID.
   */
  get id(): string {
    this.#id ??= requestId(this.#input.request.headers);
    return this.#id;
  }

  /**
   * The distributed trace that the request belongs to: of its `traceparent` header, else a new one. Send
   * `ctx.trace.traceparent` along with requests to other services.
   */
  get trace(): TraceContext {
    this.#trace ??= createTraceContext(this.#input.request.headers);
    return this.#trace;
  }

  /** Path parameters by name, percent-decoded once; an object without prototype. */
  get params(): Params {
    // The pattern decides which keys there are; the router reads them as plain strings.
    return this.#input.match.params as Params;
  }

  /** Query parameters by name; of a repeated name the last value. An object without prototype. */
  get query(): Record<string, string> {
    return this.#parsedQuery().values;
  }

  /** All values of one query parameter, in their order; empty when it is absent. */
  queries(name: string): readonly string[] {
    return this.#parsedQuery().all(name);
  }

  #parsedQuery(): ParsedQuery {
    this.#query ??= parseQuery(this.#input.url);
    return this.#query;
  }

  /** Values that middleware and handler share during this request; an object without prototype. */
  get state(): Record<string, unknown> {
    // Without prototype, so that a value may have any name.
    this.#state ??= Object.create(null) as Record<string, unknown>;
    return this.#state;
  }

  /** The cookies of the request, and those that the response will set. */
  get cookies(): Cookies {
    this.#cookies ??= new Cookies(this.#input.request.headers);
    return this.#cookies;
  }

  /** The route that answers; undefined where none does (404, 405). */
  get route(): MatchedRoute | undefined {
    return this.#input.route;
  }

  /** The application. */
  get app(): FrameworkApplication {
    return this.#input.services.application;
  }

  /** The bindings and variables that came with this request; else those of the process. */
  get env(): Env {
    return this.#input.platform.env ?? this.#input.services.environment();
  }

  /**
   * The address of the client, in canonical form; undefined where the platform tells none.
   *
   * `CF-Connecting-IP` on Cloudflare and the socket's address elsewhere. `X-Forwarded-For` counts only
   * behind the application's `trustProxy`, from the right.
   */
  get ip(): string | undefined {
    const { services: host, request, platform: invocation } = this.#input;
    // The server behind listen() puts the socket's address here; a plain Request has none.
    const { ip } = request as { ip?: string };
    return clientAddress({
      headers: request.headers,
      socketAddress: invocation.socketAddress ?? ip,
      onCloudflare: host.onCloudflare,
      trustProxy: host.trustProxy,
    });
  }

  /**
   * Lets the platform finish `promise` after the response has been sent. A rejection goes to the logger.
   *
   * @throws EspalierError `ERR_APPLICATION_BAD_WORK` for a function: call it, and pass its promise
   */
  waitUntil(promise: Promise<unknown>): void {
    const { services: host, platform: invocation } = this.#input;
    host.background(promise, invocation);
  }

  /**
   * The service registered under `name`; a scoped one is made once for this request.
   *
   * @throws EspalierError when nothing is registered under that name
   */
  resolve<Name extends keyof Services>(name: Name): Services[Name];
  resolve<Service = unknown>(name: string): Service;
  resolve(name: string): unknown {
    this.#scope ??= this.#input.services.createScope(this);
    const service = this.#scope.resolve(name);
    // Should this client leave, the platform would end the making of a service others wait for.
    if (service instanceof Promise) this.#input.services.keepAlive(service, this.#input.platform);
    return service;
  }

  /** The error whose rendering is the response so far. */
  get error(): unknown {
    if (this.#makeError !== undefined) this.error = this.#makeError();
    return this.#error;
  }

  set error(error: unknown) {
    this.#error = error;
    this.#makeError = undefined;
  }

  /** Makes the error of an answer that is given already, should anybody ask for it. @internal */
  static useError(ctx: RequestContext<object>, make: () => unknown): void {
    ctx.#makeError = make;
  }

  /** Aborted when the client leaves; asking for it makes no request over the body that was read. @internal */
  static signal(ctx: RequestContext<object>): AbortSignal {
    return ctx.#input.request.signal;
  }

  /** What the router found for this request. @internal */
  static match(ctx: RequestContext<object>): RouteMatch {
    return ctx.#input.match;
  }

  /** Where the server learns that this request is to be a WebSocket, if it offers it there. @internal */
  static upgradeSlot(ctx: RequestContext<object>): UpgradeSlot | undefined {
    return ctx.#input.platform.upgradeSlot;
  }

  /** Where the framework's own events go. @internal */
  static events(ctx: RequestContext<object>): EventEmitter {
    return ctx.#input.services.events;
  }

  /** Returns the streams that the application is sending. @internal */
  static openStreams(ctx: RequestContext<object>): OpenStreams {
    return ctx.#input.services.openStreams;
  }

  /** Makes the request a span that somebody else records. @internal */
  static useTrace(ctx: RequestContext<object>, trace: TraceContext): void {
    ctx.#trace = trace;
  }

  /** Whether the body has still to be parsed before a handler runs. @internal */
  static hasUnparsedBody(ctx: RequestContext<object>): boolean {
    return ctx.#input.bodyLimits !== undefined && ctx.#content === undefined;
  }

  /** Returns the body without parsing it: undefined before it is parsed. @internal */
  static content(ctx: RequestContext<object>): ContextBody | undefined {
    return ctx.#content;
  }

  /** Gives back the bytes that this request has reserved for its body. @internal */
  static releaseBody(ctx: RequestContext<object>): void {
    if (ctx.#reservedBytes === 0) return;
    ctx.#input.bodyLimits?.budget.release(ctx.#reservedBytes);
    ctx.#reservedBytes = 0;
  }

  /** The cookies, if anybody has used them. @internal */
  static usedCookies(ctx: RequestContext<object>): Cookies | undefined {
    return ctx.#cookies;
  }
}

function bodyNotParsed(member: string, route: MatchedRoute | undefined): EspalierError {
  const where = route === undefined ? "" : ` of ${route.method} ${route.pattern}`;
  return new EspalierError(
    "ERR_HTTP_BODY_NOT_PARSED",
    `ctx.${member}${where} was read before the body was parsed. A middleware that needs it must call ` +
      "await ctx.parseBody() first.",
  );
}

function partsNeedOption(route: MatchedRoute | undefined): EspalierError {
  const where = route === undefined ? "" : ` of ${route.method} ${route.pattern}`;
  return new EspalierError(
    "ERR_HTTP_BODY_USED",
    `ctx.parts()${where} needs a body that is not parsed. Set the route option bodyParser: false.`,
  );
}

function bodyWasUsed(): EspalierError {
  return new EspalierError(
    "ERR_HTTP_BODY_USED",
    "The body cannot be parsed: a middleware has read it through ctx.request. Use await ctx.parseBody() " +
      "there, then ctx.body or ctx.rawBody; or set the route option bodyParser: false.",
  );
}

declare module "../register.ts" {
  interface FrameworkTypes {
    readonly context: RequestContext;
  }
}

import type { EventEmitter } from "../events/event-emitter.ts";
import type { Redactor } from "../observability/redactor.ts";
import type { UpgradeSlot } from "../platform/websocket/upgrade-slot.ts";
import type { Env, FrameworkApplication } from "../register.ts";
import type { RouteMatch } from "../routing/route-match.ts";
import type { RefuseHost } from "./allowed-hosts.ts";
import type { WatchBody } from "./body-failure.ts";
import type { BodyLimits } from "./body-limits.ts";
import type { resolveBodyLimits } from "./body-options.ts";
import type { TrustedProxies } from "./client-address-input.ts";
import type { RequestContext } from "./context.ts";
import type { RequestBody, withBodyLimit } from "./context-body.ts";
import type { OpenStreams } from "./open-streams.ts";
import type { CompleteParts } from "./request-parts.ts";
import type { UrlResolver } from "./request-url.ts";
import type { TraceContext } from "./trace-context.ts";

/** The platform's execution context of a request, in the shape of Cloudflare's `ExecutionContext`. */
export interface ExecutionContext {
  /** Keeps the platform alive until the promise is settled. */
  waitUntil(promise: Promise<unknown>): void;
}

/** The route that handles a request, as registered. */
export interface MatchedRoute {
  /** Upper case; `ALL` for a route of every method. */
  readonly method: string;
  /** The full pattern, including the prefixes of its groups: `/api/users/:id`. */
  readonly pattern: string;
  /** The name in the route's options, including those of its groups. */
  readonly name: string | undefined;
  /** True for an infrastructure route, such as a health check: excluded from OpenAPI, rate limits and `allowedHosts`; else absent. */
  readonly internal?: true;
}

/** The container scope of one request. */
export interface ServiceScope {
  resolve(name: string): unknown;
}

/** Options of an application that its requests depend on. */
export interface RequestOptions {
  /** Parts of the context. */
  readonly parts: CompleteParts;
  readonly trustProxy: TrustedProxies;
  /** Undefined if every host is allowed. */
  readonly refuseHost: RefuseHost | undefined;
}

/** Facts about the runtime that requests depend on. */
export interface HostFacts {
  readonly resolveUrl: UrlResolver;
  /** True if the server enforces the `Content-Length` of bodies, so that it can be trusted. */
  readonly isFramed: boolean;
  /** True if it does, and reading a body as text takes less time than reading its bytes: workerd. */
  readonly isTextFaster: boolean;
  /** Makes a response report the failure of its body; undefined where that is unknown. */
  readonly watchBody: WatchBody | undefined;
}

/** What the contexts of an application use of its runtime. */
export interface RequestServices {
  readonly application: FrameworkApplication;
  readonly events: EventEmitter;
  /** Streams in progress; `stop()` ends them. */
  readonly openStreams: OpenStreams;
  readonly options: RequestOptions;
  readonly host: HostFacts;
  /** True on Cloudflare, where the platform, not the client, sets `CF-Connecting-IP`. */
  readonly onCloudflare: boolean;
  /** Returns the bindings and variables for a request without its own. */
  ownEnvironment(): Env;
  /** Creates the container scope of one request, which includes the context. */
  createScope(ctx: RequestContext<object>): ServiceScope;
  readonly background: {
    /** Runs a promise in the background; its rejection is logged. */
    add(work: Promise<unknown>, executionContext: ExecutionContext | undefined): void;
    /** Keeps the platform from cancelling a promise whose rejection is handled elsewhere. */
    keepAlive(work: Promise<unknown>, executionContext: ExecutionContext | undefined): void;
  };
  readonly bodyFailures: {
    /**
     * Logs that the body of a response failed, and emits `request.failed`.
     *
     * @param isAbort true if the client or `stop()` has caused it: nothing is logged
     */
    report(ctx: RequestContext, error: unknown, isAbort: boolean): void;
  };
  /** Emits the events of requests; undefined for an application without an event bus. */
  readonly requestEvents: RequestEvents | undefined;
}

/** Emits the events of requests to the handlers that an application has registered. */
export interface RequestEvents {
  /** Returns a function that reports a request that begins now as completed; undefined without handlers. */
  observeCompletion(): ((ctx: RequestContext, status: number) => void) | undefined;
  /** Emits `request.failed`. */
  failed(ctx: RequestContext, error: unknown): void;
}

/** Normalised platform arguments of `fetch`, apart from the request. */
export interface PlatformArguments {
  readonly env: Env | undefined;
  readonly executionContext: ExecutionContext | undefined;
  /** The client's address, if the platform provides it here and not on the request. */
  readonly socketAddress: string | undefined;
  /** True if the server copies the raw request target into the URL: Deno and Bun. */
  readonly hasRawTarget?: boolean;
  /** Slot through which a handler asks the server to upgrade this request; undefined if unsupported. */
  readonly upgradeSlot?: UpgradeSlot;
}

/** Parses the bodies of requests. A module of its own, which is loaded if a route may have a body. */
export interface BodyModule {
  readonly RequestBody: typeof RequestBody;
  readonly withBodyLimit: typeof withBodyLimit;
}

/** The body parser of an application of `espalier/core`. */
export interface BodyReader extends BodyModule {
  /** Checks limits of bodies and applies their defaults. */
  readonly resolveBodyLimits: typeof resolveBodyLimits;
}

/** How the body of a request is parsed. */
export interface BodyParsing {
  readonly limits: BodyLimits;
  readonly reader: BodyModule;
}

/** Constructor input of a context, and what middleware of the framework adds to it. */
export interface ContextInput {
  readonly services: RequestServices;
  readonly request: Request;
  readonly method: string;
  /** The full URL of the request, with dot segments resolved. */
  readonly url: string;
  readonly platform: PlatformArguments;
  readonly match: RouteMatch;
  readonly route: MatchedRoute | undefined;
  /**
   * Undefined if no body is parsed: for GET and HEAD, and with `bodyParser: false`. That of an unmatched request is
   * limited but not parsed.
   */
  readonly bodyParsing: BodyParsing | undefined;
  /** The trace context of an externally recorded span; by default that of the request's headers. */
  trace?: TraceContext;
  /** Redacts the path of the request in its events; undefined without request observability. */
  redactor?: Redactor;
  /** Called after a failure of the response's body has been reported. */
  onBodyFailure?: () => void;
}

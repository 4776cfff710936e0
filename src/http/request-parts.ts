import type { Container } from "../container/container.ts";
import type { Logger } from "../observability/logger.ts";
import type { UrlBuilder } from "../routing/url.ts";
import type { RefuseHost } from "./allowed-hosts.ts";
import type { ReceivedRequest, TrustedProxies, TrustProxy } from "./client-address-input.ts";
import type { BodyReader, ContextInput } from "./context-input.ts";
import type { Cookies } from "./cookies.ts";
import type { MultipartLimits } from "./multipart/limits.ts";
import type { Part } from "./multipart/part.ts";
import type { TraceContext } from "./trace-context.ts";

/** Parses multipart forms (RFC 7578). */
export interface MultipartParser {
  /** Returns the entries of a form in their order. */
  read(
    bytes: Uint8Array<ArrayBuffer>,
    contentType: string,
    limits: MultipartLimits,
  ): Promise<Iterable<[name: string, value: string | File]>>;
  /** Yields the parts of a request's form while it arrives. */
  stream(
    input: ContextInput,
    limits: MultipartLimits | undefined,
  ): AsyncGenerator<Part, undefined, undefined>;
}

/** Finds the client of a request, also behind proxies. */
export interface ClientAddressFinder {
  /** Returns the address of the client; undefined if it is unknown. */
  find(received: ReceivedRequest): string | undefined;
  /**
   * Parses the option `trustProxy`.
   *
   * @throws EspalierError `ERR_HTTP_BAD_TRUST_PROXY`
   */
  parseTrustProxy(option: TrustProxy): TrustedProxies;
  /** Returns the URL that the client has requested from the outermost trusted proxy. */
  forwardedUrl(url: string, received: ReceivedRequest): string;
}

/**
 * Parts that an application of `espalier/core` has only if they are passed to it, so that a bundle contains only
 * those that it uses. The application of `espalier` has all of them.
 */
export interface RequestParts {
  /** Parses JSON and form bodies: `bodies` of `espalier/core`; required by routes that may have a body. */
  readonly bodies?: BodyReader;
  /** Provides `ctx.cookies`: `cookies` of `espalier/core`. */
  readonly cookies?: (headers: Headers) => Cookies;
  /** Provides `ctx.trace`: `trace` of `espalier/core`. */
  readonly trace?: (headers: Headers) => TraceContext;
  /** Provides `ctx.ip` and the option `trustProxy`: `clientAddress` of `espalier/core`. */
  readonly clientAddress?: ClientAddressFinder;
  /** Provides the option `allowedHosts`: `hostCheck` of `espalier/core`. */
  readonly hostCheck?: (hosts: readonly string[]) => RefuseHost;
  /** Parses multipart forms, which are a 415 without it: `multipart` of `espalier/core`. */
  readonly multipart?: MultipartParser;
  /** Provides services by name, `app.singleton`, `ctx.resolve` and `inject`: `container` of `espalier/core`. */
  readonly container?: (logger: Logger) => Container;
  /** Provides `router.url`: `urls` of `espalier/core`. */
  readonly urls?: () => UrlBuilder;
}

/** The parts that requests and the router use. What an application was created without throws when it is used. */
export interface CompleteParts extends Required<Omit<RequestParts, "bodies" | "multipart">> {
  readonly multipart: Pick<MultipartParser, "stream"> & Partial<MultipartParser>;
}

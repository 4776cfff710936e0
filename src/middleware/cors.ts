import type { RequestContext } from "../http/context.ts";
import { appendVary } from "../http/headers.ts";
import { noContent } from "../http/responses.ts";
import type { Next } from "../pipeline/middleware.ts";
import { badOption, checkInteger, checkOptionNames, type OptionNames } from "../util/options.ts";
import { type AllowedOrigins, createOriginTest, type OriginFunction } from "./allowed-origins.ts";

/** What {@link CorsMiddleware} takes. */
export interface CorsOptions {
  /**
   * Who may read responses: `"*"` for every page, exact origins such as `"https://app.example"`, or a
   * function `(origin, ctx)` that may be async; default `"*"`.
   */
  readonly origins?: AllowedOrigins;
  /** Another name of `origins`. */
  readonly origin?: AllowedOrigins;
  /** Methods a page may use; default `GET HEAD PUT PATCH POST DELETE`. */
  readonly methods?: readonly string[];
  /**
   * Request headers a page may set; default: those it asks for, up to 64 of them and 2,048 characters.
   */
  readonly allowedHeaders?: readonly string[];
  /** Response headers a page may read beside the safelisted ones; default none. */
  readonly exposedHeaders?: readonly string[];
  /** Lets pages send cookies and read the answer; not with `"*"`; default false. */
  readonly credentials?: boolean;
  /** Seconds for which a browser may keep the answer to a preflight; default: the browser's own, 5. */
  readonly maxAge?: number;
}

const optionNames: OptionNames<CorsOptions> = {
  origins: true,
  origin: true,
  methods: true,
  allowedHeaders: true,
  exposedHeaders: true,
  credentials: true,
  maxAge: true,
};

const owner = { code: "ERR_MIDDLEWARE_BAD_OPTION", name: "CorsMiddleware" } as const;
const defaultMethods = ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"] as const;
const token = /^[!#$%&'*+.^_`|~\w-]+$/;
const maxEchoedCharacters = 2048;
const maxEchoedNames = 64;

/**
 * Tells browsers which pages may read the responses (Fetch standard, CORS protocol).
 *
 * A preflight is answered with 204 before anything behind this middleware runs; register it globally
 * and first, so that authentication does not refuse preflights and errors are readable too.
 *
 * ```ts
 * app.use(new CorsMiddleware({ origins: ["https://app.example"], credentials: true }));
 * ```
 */
export class CorsMiddleware {
  /** Undefined for `*`, where the answer does not depend on who asks. */
  readonly #isAllowed: OriginFunction | undefined;
  readonly #methods: string;
  /** Undefined echoes what a preflight asks for. */
  readonly #allowedHeaders: string | undefined;
  readonly #exposedHeaders: string;
  readonly #credentials: boolean;
  readonly #maxAge: string | undefined;

  /**
   * @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION`: `*` with credentials, a text that is no origin, a
   *   name that is no header or method, a `maxAge` that is no whole number of seconds
   */
  constructor(options: CorsOptions = {}) {
    checkOptionNames(owner, options, optionNames);
    const origins = originsOf(options);
    this.#isAllowed = origins === "*" ? undefined : createOriginTest(owner, "origins", origins);
    this.#methods = tokens("methods", options.methods ?? defaultMethods).toUpperCase();
    this.#allowedHeaders =
      options.allowedHeaders && tokens("allowedHeaders", options.allowedHeaders);
    this.#exposedHeaders = tokens("exposedHeaders", options.exposedHeaders ?? []);
    this.#credentials = options.credentials ?? false;
    this.#maxAge =
      options.maxAge === undefined
        ? undefined
        : String(checkInteger(owner, "maxAge", options.maxAge, 0));
    if (this.#credentials) this.#refuseWildcards();
  }

  /** Answers a preflight; otherwise runs the rest, and says who may read the response. */
  async handle(ctx: RequestContext, next: Next): Promise<Response> {
    const { headers } = ctx.request;
    const origin = await this.#allowedOrigin(headers.get("origin"), ctx);
    const isPreflight =
      ctx.method === "OPTIONS" &&
      headers.has("origin") &&
      headers.has("access-control-request-method");
    const response = isPreflight ? noContent() : await next();
    if (origin !== undefined) {
      this.#allow(response.headers, origin);
      if (isPreflight) this.#answerPreflight(response.headers, headers);
      else if (this.#exposedHeaders !== "") {
        response.headers.set("access-control-expose-headers", this.#exposedHeaders);
      }
    }
    this.#vary(response.headers, isPreflight);
    return response;
  }

  /** What goes into `Access-Control-Allow-Origin`; undefined for a page that may not read. */
  async #allowedOrigin(origin: string | null, ctx: RequestContext): Promise<string | undefined> {
    if (this.#isAllowed === undefined) return "*";
    if (origin === null) return undefined;
    // Only true passes: a function that forgot to return, or returned a text, allows nobody.
    return (await this.#isAllowed(origin, ctx)) === true ? origin : undefined;
  }

  #allow(headers: Headers, origin: string): void {
    headers.set("access-control-allow-origin", origin);
    if (this.#credentials) headers.set("access-control-allow-credentials", "true");
  }

  #answerPreflight(headers: Headers, request: Headers): void {
    headers.set("access-control-allow-methods", this.#methods);
    const allowed =
      this.#allowedHeaders ?? requestedHeaders(request.get("access-control-request-headers"));
    if (allowed !== "") headers.set("access-control-allow-headers", allowed);
    if (this.#maxAge !== undefined) headers.set("access-control-max-age", this.#maxAge);
  }

  /** On every response, also where nobody was allowed: a cache must not serve it to another origin. */
  #vary(headers: Headers, isPreflight: boolean): void {
    if (this.#isAllowed !== undefined) appendVary(headers, "Origin");
    if (!isPreflight) return;
    appendVary(headers, "Access-Control-Request-Method");
    appendVary(headers, "Access-Control-Request-Headers");
  }

  /** With credentials a browser takes `*` for the literal name, so it would allow nothing. */
  #refuseWildcards(): void {
    const lists = {
      origins: this.#isAllowed === undefined ? "*" : "",
      methods: this.#methods,
      allowedHeaders: this.#allowedHeaders ?? "",
      exposedHeaders: this.#exposedHeaders,
    };
    for (const [option, list] of Object.entries(lists)) {
      if (!list.split(", ").includes("*")) continue;
      throw badOption(owner, option, "*", 'a list of names without "*" when credentials is true');
    }
  }
}

function originsOf(options: CorsOptions): AllowedOrigins {
  if (options.origins !== undefined && options.origin !== undefined) {
    throw badOption(owner, "origin", options.origin, "left out when origins is set");
  }
  const origins = options.origins ?? options.origin ?? "*";
  if (typeof origins !== "object" || !origins.includes("*")) return origins;
  if (origins.length === 1) return "*";
  throw badOption(owner, "origins", origins, '"*" alone or a list without "*"');
}

function tokens(option: string, names: readonly string[]): string {
  if (!Array.isArray(names)) throw badOption(owner, option, names, "a list of names");
  for (const one of names) {
    if (typeof one !== "string" || !token.test(one)) {
      throw badOption(owner, option, one, "a list of names of letters, digits and hyphens");
    }
  }
  return names.join(", ");
}

/** The headers that a preflight asks for; nothing when there are too many or one is no name. */
function requestedHeaders(text: string | null): string {
  if (text === null || text.length > maxEchoedCharacters) return "";
  const names = text.split(",").map((part) => part.trim());
  const areNames = names.length <= maxEchoedNames && names.every((part) => token.test(part));
  return areNames ? names.join(", ") : "";
}

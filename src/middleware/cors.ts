import type { RequestContext } from "../http/context.ts";
import { noContent } from "../http/responses.ts";
import { appendVary } from "../http/vary.ts";
import type { Next } from "../pipeline/middleware.ts";
import { badOption, checkInteger } from "../util/options.ts";
import {
  type AllowedOrigins,
  createOriginTest,
  type OriginFunction,
  refuseNullOrigin,
} from "./allowed-origins.ts";
import { type CorsOptions, checkCorsOptionNames, corsOwner as owner } from "./cors-options.ts";

const defaultMethods = ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"] as const;
const token = /^[!#$%&'*+.^_`|~\w-]+$/;
const maxRepeatedCharacters = 2048;
const maxRepeatedNames = 64;
const privateNetworkRequest = "access-control-request-private-network";

/**
 * Sets the headers by which browsers decide which pages may read responses (Fetch standard, CORS protocol).
 *
 * Responds to a preflight with 204 before anything behind this middleware runs. Register it globally and
 * first, so that authentication does not reject preflights and pages can read errors, too.
 *
 * ```ts
 * app.use(new CorsMiddleware({ origins: ["https://app.example"], credentials: true }));
 * ```
 */
export class CorsMiddleware {
  /** Never sets `ctx.user`. */
  readonly userAccess = "ignores";
  /** Undefined for `*`, where the response does not depend on the origin. */
  readonly #isAllowed: OriginFunction | undefined;
  readonly #methods: string;
  /** Undefined repeats what the preflight asks for. */
  readonly #allowedHeaders: string | undefined;
  readonly #exposedHeaders: string;
  readonly #credentials: boolean;
  readonly #maxAge: string | undefined;
  readonly #allowPrivateNetwork: boolean;

  /**
   * @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION` for `*` or `null` with credentials, a string that is not an
   *   origin, a name that is not a header or method, or a `maxAge` that is not an integer
   */
  constructor(options: CorsOptions = {}) {
    checkCorsOptionNames(options);
    const origins = checkOrigins(options.origins ?? "*");
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
    this.#allowPrivateNetwork = options.allowPrivateNetwork ?? false;
    if (this.#credentials) {
      this.#refuseWildcards();
      refuseNullOrigin(owner, "origins", origins, "when credentials is true");
    }
  }

  /** Responds to a preflight; otherwise calls `next` and sets the headers of its response. */
  async handle(ctx: RequestContext, next: Next): Promise<Response> {
    const { headers } = ctx;
    const origin = await this.#allowedOrigin(headers.get("origin"), ctx);
    const isPreflight =
      ctx.method === "OPTIONS" &&
      headers.has("origin") &&
      headers.has("access-control-request-method");
    const response = isPreflight ? noContent() : await next();
    if (origin !== undefined) {
      this.#allow(response.headers, origin);
      if (isPreflight) this.#allowPreflight(response.headers, headers);
      else if (this.#exposedHeaders !== "") {
        response.headers.set("access-control-expose-headers", this.#exposedHeaders);
      }
    }
    this.#vary(response.headers, isPreflight);
    return response;
  }

  /** Returns the value of `Access-Control-Allow-Origin`; undefined for a page that may not read. */
  async #allowedOrigin(origin: string | null, ctx: RequestContext): Promise<string | undefined> {
    if (this.#isAllowed === undefined) return "*";
    if (origin === null) return undefined;
    return (await this.#isAllowed(origin, ctx)) ? origin : undefined;
  }

  #allow(headers: Headers, origin: string): void {
    headers.set("access-control-allow-origin", origin);
    if (this.#credentials) headers.set("access-control-allow-credentials", "true");
  }

  #allowPreflight(headers: Headers, request: Headers): void {
    headers.set("access-control-allow-methods", this.#methods);
    const allowed =
      this.#allowedHeaders ?? requestedHeaders(request.get("access-control-request-headers"));
    if (allowed !== "") headers.set("access-control-allow-headers", allowed);
    if (this.#maxAge !== undefined) headers.set("access-control-max-age", this.#maxAge);
    if (this.#allowPrivateNetwork && request.get(privateNetworkRequest) === "true") {
      headers.set("access-control-allow-private-network", "true");
    }
  }

  /** On every response, also for an origin that is not allowed: a cache must not serve it to another one. */
  #vary(headers: Headers, isPreflight: boolean): void {
    if (this.#isAllowed !== undefined) appendVary(headers, "Origin");
    if (!isPreflight) return;
    appendVary(headers, "Access-Control-Request-Method");
    appendVary(headers, "Access-Control-Request-Headers");
    if (this.#allowPrivateNetwork) appendVary(headers, "Access-Control-Request-Private-Network");
  }

  /** With credentials browsers take `*` literally, so that it would allow nothing. */
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

function checkOrigins(origins: AllowedOrigins): AllowedOrigins {
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

/** Returns the headers that a preflight asks for; "" if there are too many or one is not a name. */
function requestedHeaders(text: string | null): string {
  if (text === null || text.length > maxRepeatedCharacters) return "";
  const names = text.split(",").map((part) => part.trim());
  const areNames = names.length <= maxRepeatedNames && names.every((part) => token.test(part));
  return areNames ? names.join(", ") : "";
}

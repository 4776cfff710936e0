import type { RequestContext } from "../http/context.ts";
import { HttpError } from "../http/http-error.ts";
import type { MiddlewareDocumentation, Next } from "../pipeline/middleware.ts";
import { checkOptionNames, type OptionNames } from "../util/options.ts";
import {
  type AllowedOrigins,
  createOriginTest,
  isSameHost,
  type OriginFunction,
  refuseNullOrigin,
} from "./allowed-origins.ts";

/** Options of {@link CsrfMiddleware}. */
export interface CsrfOptions {
  /** Other origins whose pages may send unsafe requests: exact ones or a function; default none. */
  readonly origins?: AllowedOrigins;
}

const owner = { code: "ERR_MIDDLEWARE_BAD_OPTION", name: "CsrfMiddleware" } as const;
const optionNames: OptionNames<CsrfOptions> = {
  origins: true,
};

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Responds with 403 to requests that another site's page makes a browser send with this site's cookies.
 *
 * `GET`, `HEAD` and `OPTIONS` pass: they must not change anything. Other methods pass if `Sec-Fetch-Site` is
 * `same-origin` or `none`; without that header, if `Origin` names the host of the request, and not `http:` for a
 * request over `https:`; and without either header, because browsers always send one. The content type is not
 * considered.
 *
 * Only cookies need this: no page of another site can send a token in `Authorization`.
 *
 * ```ts
 * app.use(new CsrfMiddleware({ origins: ["https://admin.example"] }));
 * ```
 */
export class CsrfMiddleware {
  /** Never sets `ctx.user`. */
  readonly userAccess = "ignores";
  /** Responses that the OpenAPI document lists for the routes of this middleware. */
  readonly documentation: MiddlewareDocumentation = {
    responses: { 403: "The request came from another site's page." },
  };
  readonly #isTrusted: OriginFunction;

  /** @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION` for a string that is not an origin, and for `null` */
  constructor(options: CsrfOptions = {}) {
    checkOptionNames(owner, options, optionNames);
    const { origins = [] } = options;
    this.#isTrusted = createOriginTest(owner, "origins", origins);
    refuseNullOrigin(owner, "origins", origins, "because any page can have it");
  }

  /** Calls `next`, unless the request is cross-site. */
  async handle(ctx: RequestContext, next: Next): Promise<Response> {
    if (safeMethods.has(ctx.method)) return await next();
    const { headers } = ctx;
    const site = headers.get("sec-fetch-site");
    const origin = headers.get("origin");
    if (isOwnPage(site, origin, ctx)) return await next();
    if (origin !== null && (await this.#isTrusted(origin, ctx)) === true) return await next();
    throw new HttpError(403, "The request came from another site's page.");
  }
}

function isOwnPage(site: string | null, origin: string | null, ctx: RequestContext): boolean {
  if (site !== null) return site === "same-origin" || site === "none";
  return origin === null || isSameHost(origin, ctx) === true;
}

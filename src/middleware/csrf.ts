import type { RequestContext } from "../http/context.ts";
import { HttpError } from "../http/http-error.ts";
import type { MiddlewareDocumentation, Next } from "../pipeline/middleware.ts";
import { checkOptionNames, type OptionNames } from "../util/options.ts";
import {
  type AllowedOrigins,
  createOriginTest,
  isSameHost,
  type OriginFunction,
} from "./allowed-origins.ts";

/** What {@link CsrfMiddleware} takes. */
export interface CsrfOptions {
  /** Other origins whose pages may send unsafe requests: exact, or a function; default none. */
  readonly origins?: AllowedOrigins;
}

const owner = { code: "ERR_MIDDLEWARE_BAD_OPTION", name: "CsrfMiddleware" } as const;
const optionNames: OptionNames<CsrfOptions> = {
  origins: true,
};

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses, with 403, requests that another site's page makes a browser send with this site's cookies.
 *
 * `GET`, `HEAD` and `OPTIONS` pass: they must not change anything. Others pass when `Sec-Fetch-Site` says
 * `same-origin` or `none`; from a browser without that header, when `Origin` names the host that was asked;
 * and when neither header is there, because then it is no browser. The content type plays no part.
 *
 * Only cookies need it: a token in `Authorization` is sent by nobody's page but your own.
 *
 * ```ts
 * app.use(new CsrfMiddleware({ origins: ["https://admin.example"] }));
 * ```
 */
export class CsrfMiddleware {
  /** What the OpenAPI description says about the routes behind it. */
  readonly documentation: MiddlewareDocumentation = {
    responses: { 403: "The request came from another site's page." },
  };
  readonly #isTrusted: OriginFunction;

  /** @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION` for a text that is no origin */
  constructor(options: CsrfOptions = {}) {
    checkOptionNames(owner, options, optionNames);
    this.#isTrusted = createOriginTest(owner, "origins", options.origins ?? []);
  }

  /** Runs the rest, unless the request comes from a page of another site. */
  async handle(ctx: RequestContext, next: Next): Promise<Response> {
    if (safeMethods.has(ctx.method)) return next();
    const { headers } = ctx.request;
    const site = headers.get("sec-fetch-site");
    const origin = headers.get("origin");
    if (isOwnPage(site, origin, ctx)) return next();
    if (origin !== null && (await this.#isTrusted(origin, ctx)) === true) return next();
    throw new HttpError(403, "The request came from another site's page.");
  }
}

function isOwnPage(site: string | null, origin: string | null, ctx: RequestContext): boolean {
  if (site !== null) return site === "same-origin" || site === "none";
  return origin === null || isSameHost(origin, ctx) === true;
}

import { checkOptionNames, type OptionNames } from "../util/options.ts";
import type { AllowedOrigins } from "./allowed-origins.ts";

/** Options of `CorsMiddleware`. */
export interface CorsOptions {
  /**
   * Pages that may read responses: `"*"` for every page, exact origins such as `"https://app.example"`, or a
   * function `(origin, ctx)` that returns true or false, or a promise of it; default `"*"`.
   */
  readonly origins?: AllowedOrigins;
  /** Methods that a page may use; default `GET HEAD PUT PATCH POST DELETE`. */
  readonly methods?: readonly string[];
  /**
   * Request headers that a page may set; default: those that the preflight asks for, up to 64 names and
   * 2,048 characters.
   */
  readonly allowedHeaders?: readonly string[];
  /** Response headers that a page may read in addition to the safelisted ones; default none. */
  readonly exposedHeaders?: readonly string[];
  /** Lets pages send cookies and read the response; not together with `"*"` or `"null"`; default false. */
  readonly credentials?: boolean;
  /** Seconds for which a browser may cache a preflight; default: the browser's own default, 5. */
  readonly maxAge?: number;
  /**
   * Lets allowed pages of public networks call this server in a private network or on the same machine, by
   * `Access-Control-Allow-Private-Network`; default false.
   */
  readonly allowPrivateNetwork?: boolean;
}

const optionNames: OptionNames<CorsOptions> = {
  origins: true,
  methods: true,
  allowedHeaders: true,
  exposedHeaders: true,
  credentials: true,
  maxAge: true,
  allowPrivateNetwork: true,
};

/** Names the middleware in errors about its options. */
export const corsOwner = { code: "ERR_MIDDLEWARE_BAD_OPTION", name: "CorsMiddleware" } as const;

/** @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION` */
export function checkCorsOptionNames(options: CorsOptions): void {
  checkOptionNames(corsOwner, options, optionNames);
}

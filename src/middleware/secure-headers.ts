import { EspalierError } from "../errors.ts";
import type { RequestContext } from "../http/context.ts";
import type { Next } from "../pipeline/middleware.ts";
import { badOption, checkOptionNames, type OptionNames } from "../util/options.ts";
import {
  type CompiledPolicy,
  type ContentSecurityPolicy,
  compilePolicy,
  createNonce,
} from "./content-security-policy.ts";

export type { ContentSecurityPolicy };

/** Options of {@link SecureHeadersMiddleware}: a header's value, or false to omit the header. */
export interface SecureHeadersOptions {
  /** `Content-Security-Policy`; default none, since it depends on the pages. */
  readonly contentSecurityPolicy?: ContentSecurityPolicy | false;
  /** `Content-Security-Policy-Report-Only`; default none. */
  readonly contentSecurityPolicyReportOnly?: ContentSecurityPolicy | false;
  /** Default `same-origin`. */
  readonly crossOriginOpenerPolicy?: string | false;
  /** Default none: `require-corp` breaks pages that embed others. */
  readonly crossOriginEmbedderPolicy?: string | false;
  /** Default `same-origin`; it does not touch requests that CORS allows. */
  readonly crossOriginResourcePolicy?: string | false;
  /** Default `?1`. */
  readonly originAgentCluster?: string | false;
  /** Default none. */
  readonly permissionsPolicy?: string | false;
  /**
   * Default `same-origin`: no referrer is sent to other sites. `no-referrer` would also make browsers
   * submit the site's own forms with `Origin: null`.
   */
  readonly referrerPolicy?: string | false;
  /** Default `max-age=31536000; includeSubDomains`; browsers ignore it without TLS. */
  readonly strictTransportSecurity?: string | false;
  /** Default `nosniff`. */
  readonly xContentTypeOptions?: string | false;
  /** Default `off`. */
  readonly xDnsPrefetchControl?: string | false;
  /** Default `noopen`. */
  readonly xDownloadOptions?: string | false;
  /** Default `SAMEORIGIN`. */
  readonly xFrameOptions?: string | false;
  /** Default `none`. */
  readonly xPermittedCrossDomainPolicies?: string | false;
  /** Default `0`: the XSS filter of old browsers introduced new vulnerabilities. */
  readonly xXssProtection?: string | false;
}

type PlainOption = Exclude<
  keyof SecureHeadersOptions,
  "contentSecurityPolicy" | "contentSecurityPolicyReportOnly"
>;

const headers: Readonly<Record<PlainOption, readonly [header: string, value: string | false]>> = {
  crossOriginOpenerPolicy: ["cross-origin-opener-policy", "same-origin"],
  crossOriginEmbedderPolicy: ["cross-origin-embedder-policy", false],
  crossOriginResourcePolicy: ["cross-origin-resource-policy", "same-origin"],
  originAgentCluster: ["origin-agent-cluster", "?1"],
  permissionsPolicy: ["permissions-policy", false],
  referrerPolicy: ["referrer-policy", "same-origin"],
  strictTransportSecurity: ["strict-transport-security", "max-age=31536000; includeSubDomains"],
  xContentTypeOptions: ["x-content-type-options", "nosniff"],
  xDnsPrefetchControl: ["x-dns-prefetch-control", "off"],
  xDownloadOptions: ["x-download-options", "noopen"],
  xFrameOptions: ["x-frame-options", "SAMEORIGIN"],
  xPermittedCrossDomainPolicies: ["x-permitted-cross-domain-policies", "none"],
  xXssProtection: ["x-xss-protection", "0"],
};

const owner = { code: "ERR_MIDDLEWARE_BAD_OPTION", name: "SecureHeadersMiddleware" } as const;

/**
 * Sets security headers on every response. A header that the handler has set is not overwritten.
 *
 * ```ts
 * app.use(
 *   new SecureHeadersMiddleware({
 *     xFrameOptions: "DENY",
 *     contentSecurityPolicy: { defaultSrc: ["'self'"], scriptSrc: ["'self'", "'nonce'"] },
 *   }),
 * );
 * ```
 */
export class SecureHeadersMiddleware {
  /** Never sets `ctx.user`. */
  readonly userAccess = "ignores";
  readonly #plain: readonly (readonly [header: string, value: string])[];
  readonly #policies: readonly (readonly [header: string, policy: CompiledPolicy])[];
  readonly #needsNonce: boolean;

  /** @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION` for an invalid header value */
  constructor(options: SecureHeadersOptions = {}) {
    checkOptionNames(owner, options, optionNames());
    this.#plain = plainHeaders(options);
    this.#policies = [
      ...policyHeader("contentSecurityPolicy", "content-security-policy", options),
      ...policyHeader(
        "contentSecurityPolicyReportOnly",
        "content-security-policy-report-only",
        options,
      ),
    ];
    this.#needsNonce = this.#policies.some(([, policy]) => policy.needsNonce);
  }

  /** Calls `next` and sets the headers on its response. */
  async handle(ctx: RequestContext, next: Next): Promise<Response> {
    const nonce = this.#needsNonce ? createNonce() : "";
    if (this.#needsNonce) ctx.state["cspNonce"] = nonce;
    const response = await next();
    for (const [header, value] of this.#plain) setOnce(response.headers, header, value);
    for (const [header, policy] of this.#policies) {
      setOnce(response.headers, header, policy.text(nonce));
    }
    return response;
  }
}

/**
 * Returns the nonce of this request, for `<script nonce="…">`.
 *
 * @throws EspalierError `ERR_MIDDLEWARE_MISSING` without a middleware whose policy has the source `'nonce'`
 * @example return html(`<script nonce="${cspNonce(ctx)}">start()</script>`);
 */
export function cspNonce(ctx: RequestContext<object>): string {
  const nonce = ctx.state["cspNonce"];
  if (typeof nonce === "string") return nonce;
  throw new EspalierError(
    "ERR_MIDDLEWARE_MISSING",
    `This request has no nonce. Register a ${owner.name} whose contentSecurityPolicy contains the source 'nonce'.`,
  );
}

/** Created lazily: a function call at module level would prevent tree shaking. */
function optionNames(): OptionNames<SecureHeadersOptions> {
  // Object.fromEntries widens its names; the keys are those of the table above.
  const plain = Object.fromEntries(Object.keys(headers).map((option) => [option, true])) as Record<
    PlainOption,
    true
  >;
  return { ...plain, contentSecurityPolicy: true, contentSecurityPolicyReportOnly: true };
}

function plainHeaders(options: SecureHeadersOptions): [string, string][] {
  // Object.keys widens its result; the keys are those of the table above.
  const names = Object.keys(headers) as PlainOption[];
  return names.flatMap((option): [string, string][] => {
    const [header, standard] = headers[option];
    const value = options[option] ?? standard;
    if (value === false) return [];
    if (typeof value === "string" && /^[\x20-\x7e]+$/.test(value)) return [[header, value]];
    throw badOption(owner, option, value, "printable ASCII, or false to omit the header");
  });
}

function policyHeader(
  option: "contentSecurityPolicy" | "contentSecurityPolicyReportOnly",
  header: string,
  options: SecureHeadersOptions,
): [string, CompiledPolicy][] {
  const policy = options[option] ?? false;
  return policy === false ? [] : [[header, compilePolicy(owner, option, policy)]];
}

function setOnce(target: Headers, header: string, value: string): void {
  if (!target.has(header)) target.set(header, value);
}

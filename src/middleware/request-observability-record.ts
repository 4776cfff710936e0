import { RequestContext } from "../http/context.ts";
import type { LogRecord } from "../observability/logger.ts";
import { Redactor } from "../observability/redactor.ts";
import { pathOfUrl } from "../routing/request-path.ts";

/** Options for the variable fields of the access record. */
export interface AccessRecordOptions {
  readonly level: string;
  readonly includeBody: boolean;
  /** Names in lower case. */
  readonly includeHeaders: boolean | readonly string[];
  /** See `RequestObservabilityOptions`. */
  readonly redact: readonly string[] | undefined;
  readonly unredacted: readonly string[] | undefined;
}

/** Result of a request, known once its response is ready. */
export interface AccessOutcome {
  readonly status: number;
  readonly durationMs: number;
  /** True if the body failed while it was sent, after the first record of the request. */
  readonly bodyFailed?: true;
}

/** Maximum length of a logged path, which may have 16 KiB. */
const pathLength = 2_000;

/** Returns the access record of a request. */
export type CreateAccessRecord = (ctx: RequestContext, outcome: AccessOutcome) => LogRecord;

/** Creates a function for access records. Client input is redacted and truncated. */
export function accessRecords(options: AccessRecordOptions): CreateAccessRecord {
  const redactor = new Redactor(options.redact, options.unredacted);
  return (ctx, outcome) => accessRecord(ctx, outcome, options, redactor);
}

function accessRecord(
  ctx: RequestContext,
  { status, durationMs, bodyFailed }: AccessOutcome,
  options: AccessRecordOptions,
  redactor: Redactor,
): LogRecord {
  const record: Record<string, unknown> = {
    time: new Date().toISOString(),
    level: bodyFailed === true ? "error" : options.level,
    id: ctx.id,
    method: ctx.method,
    path: shownPath(ctx, redactor),
    route: ctx.route?.pattern ?? null,
    status,
    durationMs,
    traceId: ctx.trace.traceId,
  };
  if (bodyFailed === true) record["bodyFailed"] = true;
  if (ctx.href.includes("?")) record["query"] = redactor.value(ctx.query);
  const { includeHeaders } = options;
  if (includeHeaders !== false) record["headers"] = shownHeaders(ctx, includeHeaders, redactor);
  // The body of a request that a guard rejected was never read.
  const { body } = RequestContext.content(ctx) ?? {};
  if (options.includeBody && body !== undefined) record["body"] = redactor.value(body);
  return record;
}

/** Logs the route pattern if the path contains a secret, as in `/reset/:token`. */
function shownPath(ctx: RequestContext, redactor: Redactor): string {
  const hasSecret = Object.keys(ctx.params).some((name) => redactor.isSecretName(name));
  if (hasSecret && ctx.route !== undefined) return ctx.route.pattern;
  const path = pathOfUrl(ctx.href) ?? "/";
  return redactor.text(path.slice(0, pathLength));
}

function shownHeaders(
  ctx: RequestContext,
  includeHeaders: true | readonly string[],
  redactor: Redactor,
): Record<string, string> {
  const shown: Record<string, string> = Object.create(null);
  for (const [name, value] of ctx.headers) {
    const isWanted = typeof includeHeaders === "boolean" || includeHeaders.includes(name);
    if (isWanted) shown[name] = redactor.header(name, value);
  }
  return shown;
}

import type { RequestContext } from "../http/context.ts";
import { shownPath } from "../http/shown-path.ts";
import type { LogRecord } from "../observability/logger.ts";
import type { Redactor } from "../observability/redactor.ts";

/** Options for the variable fields of the access record. */
export interface AccessRecordOptions {
  readonly level: string;
  readonly includeBody: boolean;
  /** Names in lower case. */
  readonly includeHeaders: boolean | readonly string[];
}

/** Result of a request, known once its response is ready. */
export interface AccessOutcome {
  readonly status: number;
  readonly durationMs: number;
  /** True if the body failed while it was sent, after the first record of the request. */
  readonly bodyFailed?: true;
}

/** Returns the access record of a request. */
export type CreateAccessRecord = (ctx: RequestContext, outcome: AccessOutcome) => LogRecord;

/** Creates a function for access records. Client input is redacted and truncated. */
export function accessRecords(
  options: AccessRecordOptions,
  redactor: Redactor,
): CreateAccessRecord {
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
  const { body } = ctx.internalBody?.content ?? {};
  if (options.includeBody && body !== undefined) record["body"] = redactor.value(body);
  return record;
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

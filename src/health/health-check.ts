import type { RequestContext } from "../http/context.ts";
import type { LogRecord } from "../observability/logger.ts";
import { describeError } from "../observability/logger.ts";
import type { Env } from "../register.ts";
import { withDeadline } from "../util/with-deadline.ts";
import { type HealthStatus, parseHealthStatus } from "./health-status.ts";

/** Result of a check: a status, or an object with `status` and additional members for the report. */
export type HealthCheckResult =
  | boolean
  | string
  | { readonly status: boolean | string; readonly [detail: string]: unknown };

/** Argument of a health check. */
export interface HealthCheckContext {
  /** Aborted when the check exceeds its timeout. */
  readonly signal: AbortSignal;
  /** The bindings and variables of the current request. */
  readonly env: Env;
  /** Resolves a service; a scoped one is created once for the current request. */
  readonly resolve: RequestContext["resolve"];
}

/** Checks one dependency or resource. */
export type HealthCheck = (
  context: HealthCheckContext,
) => HealthCheckResult | Promise<HealthCheckResult>;

/** Options of a health check: when it runs, and its timeout. */
export interface HealthCheckOptions {
  /** Timeout in milliseconds, after which the check fails; default 5000. */
  readonly timeoutMs?: number;
  /** Runs the check for `/health/live`, where a failure restarts the process; default false. */
  readonly liveness?: boolean;
  /** Runs the check for `/health/ready`, where a failure takes the process out of traffic; default true. */
  readonly readiness?: boolean;
}

/** Result of one check as the response shows it, including the details that the check returned. */
export interface HealthCheckReport {
  readonly status: HealthStatus;
  readonly durationMs: number;
  readonly [detail: string]: unknown;
}

/** A report, and the error that is only logged. */
export interface HealthCheckRun {
  readonly report: HealthCheckReport;
  readonly problem: LogRecord | undefined;
}

/** Detail names that often hold error messages: never sent to clients. */
const withheldDetails: ReadonlySet<string> = new Set([
  "status",
  "durationMs",
  "error",
  "err",
  "exception",
  "cause",
  "reason",
  "stack",
  "message",
]);

/** Runs a check with its timeout. Never rejects: every error becomes a failed check. */
export async function runHealthCheck(
  check: HealthCheck,
  timeoutMs: number,
  ctx: RequestContext,
): Promise<HealthCheckRun> {
  const startedAt = performance.now();
  const controller = new AbortController();
  const onExpired = (): never => {
    controller.abort();
    throw new Error(`It took longer than ${timeoutMs} ms.`);
  };
  try {
    const { signal } = controller;
    const running = Promise.resolve(
      check({ signal, env: ctx.env, resolve: ctx.resolve.bind(ctx) as RequestContext["resolve"] }),
    );
    return outcomeOf(await withDeadline(running, timeoutMs, onExpired), startedAt);
  } catch (error) {
    return failure(startedAt, { error: describeError(error) });
  }
}

function outcomeOf(result: unknown, startedAt: number): HealthCheckRun {
  const isObject = typeof result === "object" && result !== null;
  const said: unknown = isObject ? Reflect.get(result, "status") : result;
  const status = parseHealthStatus(said);
  if (status === undefined) {
    return failure(startedAt, {
      reason: `The result of a health check must be true, false or a status, got ${String(said)}.`,
    });
  }
  const report = { status, durationMs: elapsed(startedAt), ...(isObject ? detailsOf(result) : {}) };
  return { report, problem: status === "fail" ? { result } : undefined };
}

function failure(startedAt: number, problem: LogRecord): HealthCheckRun {
  return { report: { status: "fail", durationMs: elapsed(startedAt) }, problem };
}

/** Returns the members of a result that can be written as JSON and are not error messages. */
function detailsOf(result: object): Record<string, unknown> {
  const details: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(result)) {
    if (withheldDetails.has(name) || name === "__proto__" || value instanceof Error) continue;
    if (isJson(value)) details[name] = value;
  }
  return details;
}

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

function elapsed(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}

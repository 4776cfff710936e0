import type { RequestContext } from "../http/context.ts";
import type { LogRecord } from "../observability/logger.ts";
import { describeError } from "../observability/logger.ts";
import type { Env } from "../register.ts";
import { type HealthStatus, parseHealthStatus } from "./health-status.ts";

/** What a check may say: a word, or an object with it as `status` and further members to show. */
export type HealthCheckResult =
  | boolean
  | string
  | { readonly status: boolean | string; readonly [detail: string]: unknown };

/** What a check looks at things with. */
export interface HealthCheckContext {
  /** Is aborted when the check has taken too long. */
  readonly signal: AbortSignal;
  /** The bindings and variables of the request that asks. */
  readonly env: Env;
  /** Looks a service up; a scoped one is made once for the request that asks. */
  readonly resolve: RequestContext["resolve"];
}

/** Looks whether one thing works. */
export type HealthCheck = (
  context: HealthCheckContext,
) => HealthCheckResult | Promise<HealthCheckResult>;

/** When a check runs, and how long it may take. */
export interface HealthCheckOptions {
  /** A check that takes longer has failed; default 5000 milliseconds. */
  readonly timeoutMs?: number;
  /** Whether `/health/live` runs it: its failure has the process restarted; default false. */
  readonly liveness?: boolean;
  /**
   * Whether `/health/ready` runs it: its failure takes the process out of traffic; default true.
   */
  readonly readiness?: boolean;
}

/** What one check came to, as the body shows it: also the details that the check gave. */
export interface HealthCheckReport {
  readonly status: HealthStatus;
  readonly durationMs: number;
  readonly [detail: string]: unknown;
}

/** A report, and what only the log is told. */
export interface HealthCheckRun {
  readonly report: HealthCheckReport;
  readonly problem: LogRecord | undefined;
}

/** Details in which texts of exceptions go, which the log may have and clients may not. */
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

/** Runs a check within its time. It never rejects: whatever happens is an outcome. */
export async function runHealthCheck(
  check: HealthCheck,
  timeoutMs: number,
  ctx: RequestContext,
): Promise<HealthCheckRun> {
  const startedAt = performance.now();
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(new Error(`It took longer than ${timeoutMs} ms.`));
    }, timeoutMs);
  });
  try {
    const { signal } = controller;
    const running = Promise.resolve(
      check({ signal, env: ctx.env, resolve: (name: string) => ctx.resolve(name) }),
    );
    return outcomeOf(await Promise.race([running, timeout]), startedAt);
  } catch (error) {
    return failure(startedAt, { error: describeError(error) });
  } finally {
    clearTimeout(timer);
  }
}

function outcomeOf(result: unknown, startedAt: number): HealthCheckRun {
  const isObject = typeof result === "object" && result !== null;
  const said: unknown = isObject ? Reflect.get(result, "status") : result;
  const status = parseHealthStatus(said);
  if (status === undefined) {
    return failure(startedAt, { reason: `The status ${String(said)} has no meaning.` });
  }
  const report = { status, durationMs: elapsed(startedAt), ...(isObject ? detailsOf(result) : {}) };
  return { report, problem: status === "fail" ? { result } : undefined };
}

function failure(startedAt: number, problem: LogRecord): HealthCheckRun {
  return { report: { status: "fail", durationMs: elapsed(startedAt) }, problem };
}

/** The members of a result that are JSON and no text of an exception. */
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

import type { RequestContext } from "../http/context.ts";
import type { Logger } from "../observability/logger.ts";
import { logSafely } from "../util/log-safely.ts";
import { type HealthCheckReport, runHealthCheck } from "./health-check.ts";
import type { HealthReport, RegisteredCheck } from "./health-checks.ts";
import { worstOf } from "./health-status.ts";

/** Runs checks in parallel for a request, and logs why those that fail do. Never rejects. */
export async function runHealthChecks(
  wanted: readonly RegisteredCheck[],
  ctx: RequestContext,
  logger: Logger,
): Promise<HealthReport> {
  const reports = await Promise.all(wanted.map((registered) => runOne(registered, ctx, logger)));
  // A check may be called `__proto__`.
  const checks: Record<string, HealthCheckReport> = Object.create(null);
  for (const [index, { name }] of wanted.entries()) {
    const report = reports[index];
    if (report !== undefined) checks[name] = report;
  }
  const status = worstOf(reports.map((report) => report.status));
  return { status, timestamp: new Date().toISOString(), checks };
}

async function runOne(
  { name, check, timeoutMs }: RegisteredCheck,
  ctx: RequestContext,
  logger: Logger,
): Promise<HealthCheckReport> {
  const { report, problem } = await runHealthCheck(check, timeoutMs, ctx);
  if (problem !== undefined) {
    logSafely(logger, "warn", "Health check failed", { check: name, ...problem });
  }
  return report;
}

import { EspalierError } from "../errors.ts";
import type { RequestContext } from "../http/context.ts";
import type { Logger } from "../observability/logger.ts";
import { maxTimerMs } from "../util/clock.ts";
import { kindOf } from "../util/describe.ts";
import { isCallable } from "../util/is-callable.ts";
import { badOption, checkOptionNames, type OptionNames } from "../util/options.ts";
import type { HealthCheck, HealthCheckOptions, HealthCheckReport } from "./health-check.ts";
import type { HealthStatus } from "./health-status.ts";

/** Selects the checks to run: all, those for readiness, or those for liveness. */
export type HealthKind = "health" | "ready" | "live";

/** Response body of a health endpoint. */
export interface HealthReport {
  /** The worst status of the checks; `"pass"` when none ran. */
  readonly status: HealthStatus;
  /** Time of the report (RFC 3339). */
  readonly timestamp: string;
  /** The report of each check, by name. */
  readonly checks: Readonly<Record<string, HealthCheckReport>>;
}

/** A recorded check. */
export interface RegisteredCheck {
  readonly name: string;
  readonly check: HealthCheck;
  readonly timeoutMs: number;
  readonly kinds: readonly HealthKind[];
}

const optionNames: OptionNames<HealthCheckOptions> = {
  timeoutMs: true,
  liveness: true,
  readiness: true,
};

/** The health checks of an application. Records them; the code that runs them is loaded by the first run. */
export class HealthChecks {
  readonly #logger: () => Logger;
  readonly #checks: RegisteredCheck[] = [];

  /** @param logger receives the reason why a check fails, which is not sent to clients */
  constructor(logger: () => Logger) {
    this.#logger = logger;
  }

  /**
   * Adds a check under a name.
   *
   * @throws EspalierError `ERR_HEALTH_BAD_CHECK` for a name that is taken, or an invalid timeout
   */
  add(name: string, check: HealthCheck, options: HealthCheckOptions = {}): void {
    if (typeof name !== "string" || name === "" || !isCallable(check)) {
      throw badCheck(
        `addHealthCheck() must get a name and a function, got ${JSON.stringify(name)} and ${kindOf(check)}.`,
      );
    }
    const owner = {
      code: "ERR_HEALTH_BAD_CHECK",
      name: `addHealthCheck(${JSON.stringify(name)})`,
    } as const;
    checkOptionNames(owner, options, optionNames);
    const { timeoutMs = 5_000, liveness = false, readiness = true } = options;
    if (this.#checks.some((registered) => registered.name === name)) {
      throw badCheck(
        `The health check "${name}" is already registered. Give one of the two another name.`,
      );
    }
    if (!(timeoutMs > 0 && timeoutMs <= maxTimerMs)) {
      const expected = `a number of milliseconds from 1 to ${maxTimerMs}`;
      throw badOption(owner, "timeoutMs", timeoutMs, expected);
    }
    const kinds: HealthKind[] = ["health"];
    if (readiness) kinds.push("ready");
    if (liveness) kinds.push("live");
    this.#checks.push({ name, check, timeoutMs, kinds });
  }

  /** Runs all checks of a kind in parallel for a request. Never rejects. */
  async run(kind: HealthKind, ctx: RequestContext): Promise<HealthReport> {
    const { runHealthChecks } = await import("./run-health-checks.ts");
    const wanted = this.#checks.filter(({ kinds }) => kinds.includes(kind));
    return runHealthChecks(wanted, ctx, this.#logger());
  }
}

function badCheck(message: string): EspalierError {
  return new EspalierError("ERR_HEALTH_BAD_CHECK", message);
}

import type { MiddlewareReference } from "../pipeline/registry.ts";
import { checkPlainPath } from "../routing/plain-path.ts";
import { checkOptionNames, type OptionNames } from "../util/options.ts";
import type { Metrics } from "./metrics.ts";

/** Options of `exposeMetrics`. */
export interface ExposeMetricsOptions {
  /** Registry with custom metrics, to which those of the framework are added; default a new one. */
  readonly metrics?: Metrics;
  /** Middleware of the endpoint, such as a guard; default none. */
  readonly middleware?: readonly MiddlewareReference[];
}

const owner = { code: "ERR_METRICS_BAD_OPTION", name: "exposeMetrics()" } as const;
const optionNames: OptionNames<ExposeMetricsOptions> = { metrics: true, middleware: true };

/** @throws EspalierError `ERR_METRICS_BAD_OPTION` */
export function checkMetricsOptions(path: unknown, options: ExposeMetricsOptions): void {
  checkOptionNames(owner, options, optionNames);
  checkPlainPath(owner, "path", path);
}

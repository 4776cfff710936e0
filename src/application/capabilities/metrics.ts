import type { EventBus } from "../../events/event-bus.ts";
import { text } from "../../http/responses.ts";
import type { Metrics } from "../../metrics/metrics.ts";
import { checkMetricsOptions, type ExposeMetricsOptions } from "../../metrics/metrics-options.ts";
import type { Capability } from "../capability.ts";
import type { ApplicationRuntime } from "../runtime.ts";

/** The endpoint of metrics. Without it no event is subscribed to, and none of their code is loaded. */
export class MetricsCapability implements Capability {
  readonly #runtime: ApplicationRuntime<EventBus>;
  readonly #exposed: { metrics: Metrics | undefined; isSubscribed: boolean }[] = [];

  constructor(runtime: ApplicationRuntime<EventBus>) {
    this.#runtime = runtime;
  }

  /** Registers the route. */
  expose(path: string, options: ExposeMetricsOptions): void {
    checkMetricsOptions(path, options);
    const endpoint = { metrics: options.metrics, isSubscribed: false };
    this.#exposed.push(endpoint);
    const { middleware = [] } = options;
    this.#runtime.router.get(
      path,
      (ctx) => {
        // Created before the route was compiled.
        const rendered = endpoint.metrics?.render(ctx.headers.get("accept") ?? "");
        const headers = { "content-type": rendered?.type ?? "", "cache-control": "no-store" };
        return text(rendered?.text ?? "", 200, headers);
      },
      { internal: true, middleware },
    );
  }

  async onCompile(): Promise<void> {
    if (this.#exposed.length === 0) return;
    const { Metrics } = await import("../../metrics/metrics.ts");
    const { addFrameworkMetrics } = await import("../../metrics/framework-metrics.ts");
    for (const endpoint of this.#exposed) {
      // Routes are compiled again after a registration or a failed boot, and must not count twice.
      if (endpoint.isSubscribed) continue;
      endpoint.isSubscribed = true;
      endpoint.metrics ??= new Metrics();
      addFrameworkMetrics(endpoint.metrics, (name, handler) => {
        this.#runtime.events.on(name, handler as (payload: unknown) => void);
      });
    }
  }
}

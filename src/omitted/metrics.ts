import type * as full from "../application/capabilities/metrics.ts";
import { refuseOmitted } from "./refuse-omitted.ts";

type Full = full.MetricsCapability;

/** Refuses the endpoint of metrics. */
export class MetricsCapability implements Pick<Full, keyof Full> {
  expose(): never {
    return refuseOmitted("metrics");
  }

  async onCompile(): Promise<void> {}
}

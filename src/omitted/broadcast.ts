import type * as full from "../application/capabilities/broadcast.ts";
import { refuseOmitted } from "./refuse-omitted.ts";

type Full = full.BroadcastCapability;

/** Refuses broadcasts. */
export class BroadcastCapability implements Pick<Full, keyof Full> {
  use(): never {
    return refuseOmitted("broadcast");
  }

  publish(): never {
    return refuseOmitted("broadcast");
  }

  subscribe(): never {
    return refuseOmitted("broadcast");
  }

  get adapter(): undefined {
    return undefined;
  }

  async onReady(): Promise<void> {}

  async onShutdown(): Promise<void> {}
}

import type * as full from "../application/capabilities/queue.ts";
import type { Capability } from "../application/capability.ts";
import { refuseOmitted } from "./refuse-omitted.ts";

type Full = full.QueueCapability;
/** What the application uses of it; the queue itself and the engine use the rest. */
type Used =
  | "queue"
  | "definitions"
  | "isChosen"
  | "binding"
  | "driver"
  | "use"
  | "drain"
  | "handleBatch";

/** Refuses jobs, also those that schedules would enqueue. */
export class QueueCapability implements Capability, Pick<Full, Used> {
  readonly definitions: Full["definitions"] = new Map();
  readonly isChosen = false;
  readonly binding = "";
  readonly #scheduledJobs: () => readonly string[];

  constructor(_runtime: unknown, _options: unknown, scheduledJobs: () => readonly string[]) {
    this.#scheduledJobs = scheduledJobs;
  }

  get queue(): never {
    return refuseOmitted("queue");
  }

  get driver(): never {
    return refuseOmitted("queue");
  }

  use(): never {
    return refuseOmitted("queue");
  }

  async onReady(): Promise<void> {
    if (this.#scheduledJobs().length > 0) refuseOmitted("queue");
  }

  /** Runs none: a cron trigger may exist for a schedule. */
  async drain(): Promise<number> {
    return 0;
  }

  async handleBatch(): Promise<never> {
    return refuseOmitted("queue");
  }
}

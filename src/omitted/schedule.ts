import type * as full from "../schedule/scheduler.ts";
import { refuseOmitted } from "./refuse-omitted.ts";

type Full<Context extends object> = full.Scheduler<Context>;

/** Refuses schedules. */
export class Scheduler<Context extends object> implements Pick<Full<Context>, keyof Full<Context>> {
  schedule(): never {
    return refuseOmitted("schedule");
  }

  crons(): readonly string[] {
    return [];
  }

  jobNames(): readonly string[] {
    return [];
  }

  /** Runs none: a cron trigger may exist to drain the queue. */
  async run(): Promise<boolean> {
    return false;
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}
}

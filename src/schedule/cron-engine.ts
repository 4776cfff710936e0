/** A running cron schedule. */
export interface CronTask {
  stop(): void;
}

/** Calls a function at the times of a cron expression, in UTC. */
export interface CronEngine {
  /** @throws if the expression is invalid */
  follow(cron: string, callback: (scheduledTime: number) => void): CronTask;
}

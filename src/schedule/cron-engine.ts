/** One cron expression that is being followed. */
export interface CronTask {
  stop(): void;
}

/** Calls back at the times of a cron expression, in UTC. */
export interface CronEngine {
  /** @throws when the expression is not one it understands */
  follow(cron: string, callback: (scheduledTime: number) => void): CronTask;
}

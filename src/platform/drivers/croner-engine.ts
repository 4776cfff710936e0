import { EspalierError } from "../../errors.ts";
import type { CronEngine } from "../../schedule/cron-engine.ts";

/**
 * The engine for hosts without cron triggers: the package `croner`, an optional peer that is loaded when
 * it is first needed.
 *
 * @throws EspalierError (`ERR_SCHEDULE_NO_CRONER`) when it is not installed
 */
export async function loadCronEngine(): Promise<CronEngine> {
  // A catch here, and not a try around, is what tells bundlers that it may be absent.
  const croner = await import("croner").catch((cause: unknown) => {
    throw new EspalierError(
      "ERR_SCHEDULE_NO_CRONER",
      "app.schedule() needs the package croner on this platform. Install it: npm install croner",
      { cause },
    );
  });
  return {
    follow(cron, callback) {
      // UTC, as on Cloudflare; unref: a schedule alone does not keep a process alive.
      const options = { timezone: "Etc/UTC", unref: true };
      const task = new croner.Cron(cron, options, (self: { currentRun(): Date | null }) => {
        callback(self.currentRun()?.getTime() ?? Date.now());
      });
      return { stop: () => task.stop() };
    },
  };
}

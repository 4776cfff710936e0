import { EspalierError } from "../../errors.ts";
import type { CronEngine } from "../../schedule/cron-engine.ts";

/**
 * Loads the cron engine of hosts without cron triggers: the optional peer dependency `croner`, imported on
 * first use.
 *
 * @throws EspalierError (`ERR_SCHEDULE_NO_CRONER`) when it is not installed
 */
export async function loadCronEngine(): Promise<CronEngine> {
  const croner = await importCroner();
  return {
    follow(cron, callback) {
      // UTC, as on Cloudflare; unref, because a schedule alone must not keep the process alive.
      const options = { timezone: "Etc/UTC", unref: true };
      const task = new croner.Cron(cron, options, (self: { currentRun(): Date | null }) => {
        callback(self.currentRun()?.getTime() ?? Date.now());
      });
      return { stop: () => task.stop() };
    },
  };
}

async function importCroner() {
  // With an import in a try block, bundlers treat the package as optional.
  try {
    return await import("croner");
  } catch (cause) {
    throw new EspalierError(
      "ERR_SCHEDULE_NO_CRONER",
      "app.schedule() needs the package croner on this platform. Install it: npm install croner",
      { cause },
    );
  }
}

import type { Application } from "espalier";

/** Registers background jobs and schedules. */
export function registerJobs(app: Application): void {
  app.getQueue().process("notice.send", async ({ payload }, context) => {
    await context.resolve("notifier").send(payload.loanId);
  });

  // Every day at 06:00 UTC. On Cloudflare, wrangler.toml needs a cron trigger with the same expression.
  app.schedule("0 6 * * *", async (context) => {
    await context.resolve("notifier").enqueueDue(app.getQueue());
  });
}

import type { Application } from "espalier";

/** What is done apart from requests. */
export function registerJobs(app: Application): void {
  app.getQueue().process("notice.send", async ({ payload }, context) => {
    await context.resolve("notifier").send(payload.loanId);
  });

  // Every morning at six, UTC. On Cloudflare it is the trigger of the same text in wrangler.toml.
  app.schedule("0 6 * * *", async (context) => {
    await context.resolve("notifier").enqueueDue(app.getQueue());
  });
}

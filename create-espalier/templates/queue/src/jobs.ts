import type { Application } from "espalier";

declare module "espalier" {
  interface Register {
    jobs: AppJobs;
  }
  // Merged with the declarations of other files: each declares the jobs that it processes.
  interface AppJobs {
    "greeting.send": { email: string; text: string };
  }
}

/** Registers the background jobs. */
export function registerJobs(app: Application): void {
  app.getQueue().process("greeting.send", ({ id, payload }) => {
    // Call your mail service here. A job may run twice: pass its id as an idempotency key.
    app.logger.info("greeting sent", { job: id, characters: payload.text.length });
  });
}

import type { Application } from "espalier";

declare module "espalier" {
  interface Register {
    jobs: AppJobs;
  }
  // Other files may add to this: each declares the jobs that it processes.
  interface AppJobs {
    "greeting.send": { email: string; text: string };
  }
}

/** What is done after the response was sent. */
export function registerJobs(app: Application): void {
  app.getQueue().process("greeting.send", ({ id, payload }) => {
    // Hand it to your mail service here. A job may run twice: give its id along, so that it can tell.
    app.logger.info("greeting sent", { job: id, characters: payload.text.length });
  });
}

import { Application, noContent } from "espalier";

/** Creates an application that reads every body, and does nothing with it. */
export function createCostApplication(): Application {
  const app = new Application();
  app.getRouter().post("/", async (ctx) => {
    // Text is not parsed; decoding it is the task of the application.
    if (ctx.body === undefined) await ctx.request.arrayBuffer();
    return noContent();
  });
  return app;
}

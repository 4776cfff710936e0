import { Application, noContent } from "espalier";

/** Creates an application that reads every body, and does nothing with it. */
export function createCostApplication(): Application {
  const app = new Application();
  app.getRouter().post("/", async (ctx) => {
    // Text is not parsed.
    if (ctx.body === undefined) await ctx.request.text();
    return noContent();
  });
  return app;
}

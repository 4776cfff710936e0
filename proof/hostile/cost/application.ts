import { Application, noContent } from "espalier";

/** Creates an application that parses every body, and does nothing with it. */
export function createCostApplication(): Application {
  const app = new Application();
  app.getRouter().post("/", () => noContent());
  return app;
}

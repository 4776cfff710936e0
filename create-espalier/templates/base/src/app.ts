import { Application, type ApplicationOptions, SecureHeadersMiddleware } from "espalier";
// @if auth
import { registerAuth } from "./auth.ts";
// @end
// @if queue
import { registerJobs } from "./jobs.ts";
// @end
import { registerRoutes } from "./routes.ts";

/** Creates the application: one in `{{entry}}`, and a separate one in each test. */
export function createApp(options: ApplicationOptions = {}): Application {
  const app = new Application(options);

  app.useRequestObservability();
  app.use(new SecureHeadersMiddleware());
  // @if auth
  registerAuth(app);
  // @end
  // @if queue
  registerJobs(app);
  // @end
  registerRoutes(app.getRouter());
  app.enableHealthEndpoints();
  // @if openapi
  app.exposeOpenApi("/openapi.json", {
    info: { title: "{{name}}", version: "0.1.0" },
    ui: "/docs",
  });
  // @end
  return app;
}

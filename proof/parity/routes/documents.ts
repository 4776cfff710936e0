import type { Application } from "espalier";

/** Registers built-in endpoints: health checks and the OpenAPI document. */
export function addDocuments(app: Application): void {
  app.addHealthCheck("database", () => true);
  app.addHealthCheck("search", async () => ({ status: "degraded", behind: 3 }));
  app.addHealthCheck("disk", () => Promise.reject(new Error("pw=hunter2")), { readiness: false });
  app.addHealthCheck("process", () => "up", { liveness: true });
  app.enableHealthEndpoints();
  app.exposeOpenApi("/openapi.json", { info: { title: "Parity", version: "1.0.0" }, ui: "/docs" });
}

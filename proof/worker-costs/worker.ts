import { Application, Auth, createAuthMiddleware, json, type ModuleWorker } from "espalier";

/** Worker with the whole package and 1,000 routes. */
const silent = (): void => {};
const app = new Application({
  cors: { origins: ["https://app.example"] },
  logger: { debug: silent, info: silent, warn: silent, error: silent },
});
app.middleware("auth", createAuthMiddleware(new Auth({ secret: "a".repeat(32) })));
app.enableHealthEndpoints();
app.exposeOpenApi("/openapi.json", { info: { title: "Costs", version: "1.0.0" } });
const router = app.getRouter();
for (let area = 0; area < 100; area += 1) {
  for (let kind = 0; kind < 5; kind += 1) {
    const path = `/api/area${area}/:id/kind${kind}`;
    router.get(path, (ctx) => json(ctx.params));
    router.post(path, (ctx) => json({ id: ctx.params["id"], body: ctx.body }));
  }
}

const worker: ModuleWorker = app.worker();
export default worker;

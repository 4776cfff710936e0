import { Application, proxy } from "espalier";

/** Forwards every request to the server that the header `X-Test-Upstream` names. */
export function createProxy(): Application {
  const app = new Application({ host: "127.0.0.1" });
  app.useRequestObservability();
  const router = app.getRouter();
  router.all(
    "/*",
    (ctx) => {
      const upstream = ctx.headers.get("x-test-upstream") ?? "";
      return proxy(ctx, `${upstream}${ctx.url.pathname}${ctx.url.search}`, {
        timeoutMs: 1_000,
        headers: { "x-test-upstream": undefined, "x-added": "by the proxy" },
      });
    },
    { bodyParser: false },
  );
  // Bytes are not parsed, and limited like a body that is.
  router.post("/limited", (ctx) => proxy(ctx, `${ctx.headers.get("x-test-upstream")}/limited`));
  router.post("/parsed", (ctx) => proxy(ctx, `${ctx.headers.get("x-test-upstream")}/echo`));
  return app;
}

import { Application, json, type RequestContext, text } from "espalier";

/** Body limits in bytes: default, multipart, and that of the route with a custom limit. */
export const limits = { usual: 20_000, multipart: 40_000, own: 4_000 } as const;

/**
 * Creates an application that records each run of a handler by the header `x-case`, with the number of body
 * bytes it received: `GET /runs` returns and clears the records.
 */
export function createLimitedApplication(): Application {
  const silent = (): void => {};
  const app = new Application({
    host: "127.0.0.1",
    bodyParser: { limit: limits.usual, multipartLimit: limits.multipart },
    logger: { debug: silent, info: silent, warn: silent, error: silent },
  });
  let runs: [name: string, bytes: number][] = [];
  const note = (ctx: RequestContext): Response => {
    runs.push([ctx.headers.get("x-case") ?? "", ctx.rawBody?.length ?? 0]);
    return text("handled");
  };
  const router = app.getRouter();
  router.post("/usual", note);
  router.post("/own", note, { bodyLimit: limits.own });
  router.post("/typed", note, { validation: { name: { type: "string" } } });
  router.get("/runs", () => {
    const told = runs;
    runs = [];
    return json(told);
  });
  return app;
}

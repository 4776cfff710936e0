import { Application, json, type RequestContext, text } from "espalier";

/** Bytes that a body may have: by default, in multipart, and on the route with a limit of its own. */
export const limits = { usual: 20_000, multipart: 40_000, own: 4_000 } as const;

/**
 * An application that remembers each run of a handler by the header `x-case`, and how many bytes of body it
 * was given: `GET /runs` tells, and forgets.
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

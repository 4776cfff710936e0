import { type Application, json, stream, text } from "espalier";

/** Counts of client disconnects that the application observed. */
export function addAbortRoutes(app: Application): void {
  const counts = { opened: 0, ended: 0, whole: 0, wronglyAborted: 0 };
  const router = app.getRouter();
  router.get("/aborts/held", async (ctx) => {
    counts.opened += 1;
    const { signal } = ctx.request;
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
    counts.ended += 1;
    return text("the client has left");
  });
  router.get("/aborts/endless", () => {
    const response = stream(endless(counts));
    // A body that may get an ETag is buffered first, even if the client has disconnected.
    response.headers.set("cache-control", "no-store");
    return response;
  });
  router.get("/aborts/whole", async (ctx) => {
    counts.whole += 1;
    ctx.request.signal.addEventListener("abort", () => {
      counts.wronglyAborted += 1;
    });
    await new Promise((resolve) => setTimeout(resolve, 1));
    return text("whole");
  });
  router.get("/aborts/counts", () => json(counts));
}

async function* endless(counts: { opened: number; ended: number }): AsyncGenerator<string> {
  counts.opened += 1;
  try {
    for (;;) {
      yield "more ".repeat(100);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  } finally {
    counts.ended += 1;
  }
}

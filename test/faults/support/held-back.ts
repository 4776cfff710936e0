import { Application, CompressionMiddleware, ETagMiddleware, sse, stream, text } from "espalier";

/** Streams that pause after their first chunk for a second and a half. */
export function createPausingStreams(): Application {
  const app = new Application({ host: "127.0.0.1" });
  app.use(new CompressionMiddleware());
  app.use(new ETagMiddleware());
  const router = app.getRouter();
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  async function* chunks(first: string): AsyncGenerator<string> {
    yield first;
    await pause(1_500);
    yield "last\n";
  }
  const type = "text/plain; charset=utf-8";
  router.get("/short", () => stream(chunks("first\n"), { type }));
  router.get("/long", () => stream(chunks(`first\n${"x".repeat(5_000)}`), { type }));
  router.get("/events", () => sse(chunks("first")));
  router.get("/own", () => {
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode("first\n"));
        await pause(1_500);
        controller.enqueue(new TextEncoder().encode("last\n"));
        controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/html" } });
  });
  router.get("/whole", () => text("x".repeat(5_000)));
  router.get("/small", () => text("small"));
  return app;
}

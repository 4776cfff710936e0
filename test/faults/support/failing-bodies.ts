import { Application, sse, stream, text } from "espalier";

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Routes whose bodies fail while they are sent, and some that only seem to. */
export function createFailingBodies(): Application {
  const app = new Application({ host: "127.0.0.1" });
  app.useRequestObservability();
  app.on("request.failed", (event) => console.log(`request.failed of ${event.path}`));
  const router = app.getRouter();
  router.get("/", () => text("ready"));
  router.get("/stream-before-first", () =>
    stream(
      (async function* chunks() {
        await pause(10);
        if (Date.now() > 0) throw new Error("broken before the first chunk");
        yield "never";
      })(),
    ),
  );
  router.get("/stream-after-first", () =>
    stream(async function* chunks() {
      yield "hello\n";
      await pause(50);
      throw new Error("broken after the first chunk");
    }),
  );
  router.get("/sse-before-first", () =>
    sse(async function* events() {
      await pause(10);
      if (Date.now() > 0) throw new Error("broken before the first event");
      yield "never";
    }),
  );
  router.get("/sse-after-first", () =>
    sse(async function* events() {
      yield "hello";
      await pause(50);
      throw new Error("broken after the first event");
    }),
  );
  router.get("/object", () =>
    stream(
      (async function* chunks() {
        yield "hello\n";
        await pause(50);
        yield { a: 1 } as never; // what the type forbids
      })(),
    ),
  );
  router.get("/event-id", () =>
    sse(async function* events() {
      yield "hello";
      await pause(50);
      yield { id: "1\n2", data: "x" };
    }),
  );
  router.get("/byte-stream", () => stream(failingStream("broken byte stream")));
  router.get("/own-pull", () => new Response(failingStream("broken pull")));
  router.get("/own-typed", async () => {
    await pause(1);
    const headers = { "content-type": "text/csv", "x-kept": "yes" };
    return new Response(failingStream("broken export"), { status: 203, headers });
  });
  router.get("/own-before-first", () => {
    const body = new ReadableStream({
      async pull() {
        await pause(10);
        throw new Error("broken first pull");
      },
    });
    return new Response(body);
  });
  router.get("/own-transform", () => {
    const upperCase = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (chunk.length > 6) throw new Error("broken transform");
        controller.enqueue(chunk);
      },
    });
    return new Response(lines("hello\n", "too long\n").pipeThrough(upperCase));
  });
  router.get("/own-bytes", () => new Response(failingStream("broken bytes", "bytes")));
  router.get("/own-wrapped", () => {
    const inner = sse(async function* events() {
      yield "hello";
      await pause(50);
      throw new Error("broken inner stream");
    });
    return new Response(inner.body?.pipeThrough(new TransformStream()), inner);
  });
  router.get("/own-whole", () => new Response("whole"));
  router.get("/own-endless", () => new Response(endlessStream()));
  router.get("/locked", () => {
    const body = failingStream("never read");
    const response = new Response(body);
    body.getReader();
    return response;
  });
  router.get("/endless", (ctx) =>
    stream(async function* chunks() {
      for (;;) {
        yield "tick\n";
        await pause(20);
        ctx.request.signal.throwIfAborted();
      }
    }),
  );
  router.get("/stopped", () =>
    stream(async function* chunks(signal) {
      yield "hello\n";
      await new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    }),
  );
  return app;
}

/** A stream of the given chunks, with a pause before each. */
function lines(...chunks: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      await pause(50);
      const chunk = chunks.shift();
      if (chunk === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(chunk));
    },
  });
}

/** A stream without an end, which fails when its client leaves. */
function endlessStream(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      await pause(20);
      controller.enqueue(new TextEncoder().encode("tick\n"));
    },
    cancel() {
      throw new Error("The client of the endless stream has left.");
    },
  });
}

/** A stream of one chunk that fails when the next one is pulled. */
function failingStream(message: string, type?: "bytes"): ReadableStream<Uint8Array<ArrayBuffer>> {
  let pulled = 0;
  const options = type === undefined ? {} : { type };
  return new ReadableStream({
    ...(options as object),
    async pull(controller) {
      pulled += 1;
      await pause(50);
      if (pulled > 1) throw new Error(message);
      controller.enqueue(new TextEncoder().encode("hello\n"));
    },
  });
}

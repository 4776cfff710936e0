import { Application, json, sse, stream, text } from "espalier";
import { upgradeWebSocket } from "espalier/websocket";

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const app = new Application({ host: "127.0.0.1" });
const counts = { begun: 0 };

for (const name of ["first", "second"]) {
  app.registerPlugin({
    name,
    register() {},
    shutdown: () => console.log(`shutdown of ${name}`),
  });
}

const router = app.getRouter();
router.get("/", () => text("ready"));
router.get("/counts", () => json(counts));
router.get("/slow", async () => {
  counts.begun += 1;
  await pause(1_000);
  return text("slow");
});
router.get("/never", async () => {
  counts.begun += 1;
  await new Promise(() => {});
  return text("never");
});
router.get("/large", () => {
  counts.begun += 1;
  return text("x".repeat(20_000_000));
});
router.post("/upload", (ctx) => text(`got ${JSON.stringify(ctx.body)}`));
router.get("/events", () =>
  sse(async function* events(signal) {
    counts.begun += 1;
    yield "hello";
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    yield "goodbye";
  }),
);
router.get("/throwing-events", () =>
  sse(async function* events(signal) {
    counts.begun += 1;
    yield "hello";
    await new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  }),
);
router.get("/plain-events", () => sse(ticks()));
router.get("/stream", () =>
  stream(async function* chunks(signal) {
    counts.begun += 1;
    for (let n = 0; !signal.aborted; n += 1) {
      yield `chunk ${n}\n`;
      await pause(50);
    }
    yield "end\n";
  }),
);
router.get("/endless", () => stream(ticks()));
router.get("/short", () =>
  stream(
    (async function* short() {
      counts.begun += 1;
      for (let n = 0; n < 10; n += 1) {
        yield `chunk ${n}\n`;
        await pause(100);
      }
    })(),
  ),
);
router.get("/socket", (ctx) => upgradeWebSocket(ctx, {}));
app.middleware("late", async (_ctx, next) => {
  const response = await next();
  counts.begun += 1;
  await pause(800);
  return response;
});
router.get("/late-socket", (ctx) => upgradeWebSocket(ctx, {}), { middleware: ["late"] });
router.get("/background", (ctx) => {
  ctx.waitUntil(new Promise(() => {}));
  return text("begun");
});

async function* ticks(): AsyncGenerator<string> {
  counts.begun += 1;
  for (;;) {
    yield "tick\n";
    await pause(50);
  }
}

const stopTimeoutMs = Number(globalThis.process.env["STOP_TIMEOUT_MS"] ?? 3_000);
const { url } = await app.listen({ port: 0, stopTimeoutMs });
console.log(`listening ${url}`);

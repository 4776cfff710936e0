import { Application, json, sse, stream, text } from "espalier";
import { upgradeWebSocket } from "espalier/websocket";
import { largeBytes } from "./large-bytes.ts";

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const app = new Application({ host: "127.0.0.1" });
/** Responses and jobs that have begun. */
const counts = { opened: 0, jobs: 0 };
const router = app.getRouter();

for (const name of ["first", "second"]) {
  app.registerPlugin({
    name,
    register() {},
    shutdown: () => console.log(`shutdown of ${name}`),
  });
}
/** Resolves when the application begins to stop. */
const stopping = new Promise<void>((resolve) => {
  app.on("app.stopping", () => {
    console.log("stopping");
    resolve();
  });
});

router.get("/quick/:id", (ctx) => text(`quick ${ctx.params.id}`));
router.get("/slow/:id", async (ctx) => {
  counts.opened += 1;
  await stopping;
  await pause(2_500);
  return text(`slow ${ctx.params.id} ${"x".repeat(5_000)}`);
});
router.get("/drip/:id", (ctx) => stream(drip(ctx.params.id), { type: "text/plain" }));
router.get("/large", () => {
  counts.opened += 1;
  return text("x".repeat(largeBytes));
});
router.get("/events", () =>
  sse(async function* events(signal) {
    counts.opened += 1;
    yield "hello";
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    yield "goodbye";
  }),
);
router.get("/endless", () => stream(endless()));
router.post("/upload", (ctx) => json(ctx.body ?? null));
router.get("/socket", (ctx) => upgradeWebSocket(ctx, {}));
router.get("/counts", () => json(counts));

app.getQueue().process(
  "work",
  async ({ id }) => {
    counts.jobs += 1;
    console.log(`job ${id} begins`);
    await pause(1_500);
    console.log(`job ${id} ends`);
  },
  { concurrency: 5 },
);
router.post("/jobs", async () => {
  for (let job = 0; job < 20; job += 1) await app.getQueue().enqueue("work", {});
  return text("enqueued");
});

async function* drip(id: string): AsyncGenerator<string> {
  counts.opened += 1;
  for (let piece = 0; piece < 20; piece += 1) {
    yield `drip ${id} ${piece}\n`;
    // Half of it before the stop, and half after it.
    if (piece === 10) await stopping;
    if (piece >= 10) await pause(250);
  }
}

/** Does not observe the signal of its request. */
async function* endless(): AsyncGenerator<string> {
  counts.opened += 1;
  for (;;) {
    yield "tick\n";
    await pause(50);
  }
}

const stopTimeoutMs = Number(globalThis.process.env["STOP_TIMEOUT_MS"] ?? 10_000);
const { url } = await app.listen({ port: 0, stopTimeoutMs });
console.log(`listening ${url}`);

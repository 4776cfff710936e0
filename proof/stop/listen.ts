import { Application, json, stream, text } from "espalier";

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const app = new Application({ host: "127.0.0.1" });
const counts = { opened: 0, ended: 0 };
const router = app.getRouter();

router.get("/quick/:id", (ctx) => text(`quick ${ctx.params.id}`));
router.get("/slow/:id", async (ctx) => {
  counts.opened += 1;
  await pause(2_000);
  counts.ended += 1;
  return text(`slow ${ctx.params.id} ${"x".repeat(5_000)}`);
});
router.get("/drip/:id", (ctx) => stream(drip(ctx.params.id), { type: "text/plain" }));
router.get("/counts", () => json(counts));

async function* drip(id: string): AsyncGenerator<string> {
  counts.opened += 1;
  for (let piece = 0; piece < 20; piece += 1) {
    yield `drip ${id} ${piece}\n`;
    await pause(100);
  }
  counts.ended += 1;
}

const { url } = await app.listen({ port: 0 });
console.log(`listening ${url}`);

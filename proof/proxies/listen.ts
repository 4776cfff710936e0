import { createHash } from "node:crypto";
import { Application, file, HttpError, json, sse, stream, text } from "espalier";
import { upgradeWebSocket } from "espalier/websocket";

const app = new Application({ host: "127.0.0.1", trustProxy: 1 });
const { env } = globalThis.process;
/** Requests that must not get here, and streams whose client is there. */
const counts = { admin: 0, smuggled: 0, openStreams: 0 };
const router = app.getRouter();

app.enableHealthEndpoints();
router.get("/counts", () => json(counts));
router.get("/get/:id", (ctx) => text(`get ${ctx.params.id}`));
router.post("/post/:id", (ctx) => json({ id: ctx.params.id, body: ctx.body }));
router.get("/admin", () => {
  counts.admin += 1;
  return text("of administrators");
});
router.all("/smuggled", (ctx) => {
  // Both proxies add it to every request that they forward.
  if (ctx.headers.get("x-forwarded-for") === null) counts.smuggled += 1;
  return text("smuggled");
});
router.put("/upload", hashUpload, { bodyParser: false });
router.put("/unbuffered/upload", hashUpload, { bodyParser: false });
router.get("/download/:mebibytes", (ctx) => {
  const bytes = new Uint8Array(Number(ctx.params.mebibytes) * 2 ** 20).fill(97);
  return file(bytes, { name: "a.bin" });
});
router.get("/stream/:mebibytes", (ctx) =>
  stream(chunks(Number(ctx.params.mebibytes)), { type: "application/octet-stream" }),
);
router.get("/events", () =>
  sse(async function* events(signal) {
    counts.openStreams += 1;
    try {
      yield "first";
      while (!signal.aborted) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        yield "more";
      }
    } finally {
      counts.openStreams -= 1;
    }
  }),
);
router.get("/socket", (ctx) =>
  upgradeWebSocket(ctx, {
    message: (socket, data) => {
      if (data === "close") socket.close(4_001, "as asked");
      else socket.send(data);
    },
  }),
);

async function hashUpload(ctx: { readonly request: Request }): Promise<Response> {
  const { body } = ctx.request;
  if (body === null) throw new HttpError(400, "Send a body.");
  const hash = createHash("sha256");
  for await (const chunk of body) hash.update(chunk);
  return text(hash.digest("hex"));
}

async function* chunks(mebibytes: number): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(2 ** 16).fill(97);
  counts.openStreams += 1;
  try {
    for (let at = 0; at < mebibytes * 16; at += 1) yield chunk;
  } finally {
    counts.openStreams -= 1;
  }
}

const { url } = await app.listen({ port: Number(env["PORT"] ?? 0) });
console.log(`listening ${url}`);

import { Application, noContent, stream, text } from "espalier";

let cancelled = 0;
function endless(): ReadableStream {
  return new ReadableStream({
    pull() {},
    cancel() {
      cancelled += 1;
    },
  });
}

const app = new Application();
const router = app.getRouter();
router.get("/text", () => text("hello!"));
router.get("/stream", () => stream(endless()));
router.get("/cancelled", () => text(String(cancelled)));
router.get("/nothing", () => noContent());
router.get("/unchanged", () => new Response(null, { status: 304, headers: { etag: '"a"' } }));
router.head("/measured", () => new Response(null, { headers: { "content-length": "6" } }));
router.get("/measured", () => text("hello!"));

const { url } = await app.listen({ port: 0, host: "127.0.0.1" });
console.log(`listening ${url}`);

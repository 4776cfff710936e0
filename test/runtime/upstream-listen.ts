import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { Application, type RouteFunction } from "espalier";

const text = "hello, hello, hello, hello, hello, hello, hello";
const encoded = { gzip: gzipSync(text), br: brotliCompressSync(text) } as const;

/** Another server, which compresses. */
const upstream = createServer((request, response) => {
  const coding = request.url === "/br" ? "br" : "gzip";
  const body = encoded[coding];
  response.writeHead(200, {
    "content-encoding": coding,
    "content-length": body.length,
    "content-type": "text/plain",
  });
  response.end(body);
});
await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
const { port } = upstream.address() as AddressInfo; // an address of the network

const app = new Application();
const router = app.getRouter();
const passOn: RouteFunction<{ coding: string }> = (ctx) =>
  fetch(`http://127.0.0.1:${port}/${ctx.params.coding}`);
router.get("/plain/:coding", passOn);
router.get("/decorated/:coding", passOn, {
  middleware: [
    async (_ctx, next) => {
      const response = await next();
      response.headers.set("x-decorated", "1");
      return response;
    },
  ],
});
const { url } = await app.listen({ port: 0, host: "127.0.0.1" });
// The process ends with the application, and not with the other server.
upstream.unref();
console.log(`listening ${url}`);

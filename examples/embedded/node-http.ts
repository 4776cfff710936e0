import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "espalier/node";
import { app } from "./app.ts";

const handleApi = toNodeHandler(app);

// An existing server keeps its pages and delegates one prefix.
const server = createServer((request, response) => {
  if (request.url?.startsWith("/api/") === true) return handleApi(request, response);
  response.end("A page of the existing server.");
});

// Reports mistakes at startup instead of with the first request.
await app.boot();
server.listen(Number(process.env["PORT"] ?? 3000), "localhost", () => {
  const { port } = server.address() as AddressInfo;
  console.log(`Listening on http://localhost:${port}/`);
});
process.once("SIGTERM", () => {
  server.close(() => app.stop());
});

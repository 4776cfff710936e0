import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "espalier/node";
import { app } from "./app.ts";

const handleApi = toNodeHandler(app);

// A server that is there already keeps its own pages, and hands one prefix over.
const server = createServer((request, response) => {
  if (request.url?.startsWith("/api/") === true) return handleApi(request, response);
  response.end("A page of the server's own.");
});

// Told now, and not to the first visitor, if anything is wrong with the application.
await app.boot();
server.listen(Number(process.env["PORT"] ?? 3000), "localhost", () => {
  const { port } = server.address() as AddressInfo;
  console.log(`Listening on http://localhost:${port}/`);
});
process.once("SIGTERM", () => {
  server.close(() => app.stop());
});

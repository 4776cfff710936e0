import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { json } from "espalier";
import { createLimitedApplication } from "./application.ts";

/** Bytes that Node had read from a connection when it sent the first response, by the header `x-case`. */
let taken: [name: string, bytes: number][] = [];
subscribe("http.server.response.finish", (message) => {
  // Members documented by Node.
  const { request, socket } = message as { request: IncomingMessage; socket: Socket };
  const name = request.headers["x-case"];
  if (typeof name === "string") taken.push([name, socket.bytesRead]);
});

const app = createLimitedApplication();
app.getRouter().get("/taken", () => {
  const told = taken;
  taken = [];
  return json(told);
});
app.getRouter().get("/memory", () => json(process.memoryUsage().rss));
const { url } = await app.listen({ port: 0 });
console.log(`listening ${url}`);

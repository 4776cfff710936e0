import { app } from "./app.ts";

// Node, and as it is Deno and Bun: with draining on SIGTERM, which the other ways leave to their servers.
const { url } = await app.listen({ port: Number(process.env["PORT"] ?? 3000) });
console.log(`Listening on ${url}`);

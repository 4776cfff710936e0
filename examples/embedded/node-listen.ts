import { app } from "./app.ts";

// Runs unchanged on Node, Deno and Bun, with graceful shutdown on SIGTERM.
const { url } = await app.listen({ port: Number(process.env["PORT"] ?? 3000) });
console.log(`Listening on ${url}`);

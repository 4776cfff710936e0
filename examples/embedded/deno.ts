import { app } from "./app.ts";

/** What is used of Deno's own types, which Deno and its editor plugins bring. */
declare const Deno: {
  serve(handler: (request: Request, info: unknown) => Promise<Response>): unknown;
};

Deno.serve(app.fetch);

import { app } from "./app.ts";

/** The subset of Deno's types used here; Deno and its editor plugins provide all of them. */
declare const Deno: {
  serve(handler: (request: Request, info: unknown) => Promise<Response>): unknown;
};

Deno.serve(app.fetch);

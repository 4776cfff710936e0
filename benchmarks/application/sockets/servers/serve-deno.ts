import type { Handler } from "../../subjects/subject.ts";
import { hostname } from "./listen.ts";

/** The subset of Deno's server used here. */
declare const Deno: {
  serve(
    options: { port: number; hostname: string; onListen(): void },
    handler: Handler,
  ): { readonly addr: { readonly port: number } };
};

/** Serves a `fetch` handler with Deno's own server, and returns its port. */
export function serveDeno(fetch: Handler): number {
  return Deno.serve({ port: 0, hostname, onListen() {} }, (request) => fetch(request)).addr.port;
}

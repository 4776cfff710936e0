import { hostname } from "./listen.ts";

/** The subset of Bun's server used here. */
declare const Bun: {
  serve(options: { fetch(request: Request): unknown; port: number; hostname: string }): {
    readonly port: number;
  };
};

/** Serves a `fetch` handler with Bun's own server, and returns its port. */
export function serveBun(fetch: (request: Request) => unknown): number {
  return Bun.serve({ fetch, port: 0, hostname }).port;
}

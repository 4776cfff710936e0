import { createHono } from "../../subjects/hono.ts";
import { hostname, type Listen } from "./listen.ts";

/** The subset of Deno's server used here. */
declare const Deno: {
  serve(
    options: { port: number; hostname: string; onListen(): void },
    handler: (request: Request) => Response | Promise<Response>,
  ): { readonly addr: { readonly port: number } };
};

/** Hono on Deno: `Deno.serve(app.fetch)`. */
export const listen: Listen = async (input) => {
  const { fetch } = createHono(input);
  const server = Deno.serve({ port: 0, hostname, onListen() {} }, (request) => fetch(request));
  return server.addr.port;
};

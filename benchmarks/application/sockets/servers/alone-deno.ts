import { responseAlone } from "../../subjects/response-alone.ts";
import { hostname, type Listen } from "./listen.ts";

/** The subset of Deno's server used here. */
declare const Deno: {
  serve(
    options: { port: number; hostname: string; onListen(): void },
    handler: (request: Request) => Response | Promise<Response>,
  ): { readonly addr: { readonly port: number } };
};

/** No framework, but the response of Espalier, on Deno's own server. */
export const listen: Listen = async (input) => {
  const fetch = responseAlone.create(input);
  const server = Deno.serve({ port: 0, hostname, onListen() {} }, (request) => fetch(request));
  return server.addr.port;
};

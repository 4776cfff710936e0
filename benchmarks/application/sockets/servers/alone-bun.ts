import { responseAlone } from "../../subjects/response-alone.ts";
import { hostname, type Listen } from "./listen.ts";

/** The subset of Bun's server used here. */
declare const Bun: {
  serve(options: { fetch(request: Request): unknown; port: number; hostname: string }): {
    readonly port: number;
  };
};

/** No framework, but the response of Espalier, on Bun's own server. */
export const listen: Listen = async (input) => {
  const fetch = responseAlone.create(input);
  return Bun.serve({ fetch, port: 0, hostname }).port;
};

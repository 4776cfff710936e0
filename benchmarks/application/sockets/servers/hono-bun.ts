import { createHono } from "../../subjects/hono.ts";
import { hostname, type Listen } from "./listen.ts";

/** The subset of Bun's server used here. */
declare const Bun: {
  serve(options: { fetch(request: Request): unknown; port: number; hostname: string }): {
    readonly port: number;
  };
};

/** Hono on Bun, which serves its `fetch` as in its guide. */
export const listen: Listen = async (input) => {
  const { fetch } = createHono(input);
  return Bun.serve({ fetch, port: 0, hostname }).port;
};

import { createHono } from "../../subjects/hono.ts";
import { hostname, type Listen } from "./listen.ts";

/** The part of Bun's server in use. */
declare const Bun: {
  serve(options: { fetch(request: Request): unknown; port: number; hostname: string }): {
    readonly port: number;
  };
};

/** Hono on Bun: its guide exports the application, which Bun serves just so. */
export const listen: Listen = async (input) => {
  const { fetch } = createHono(input);
  return Bun.serve({ fetch, port: 0, hostname }).port;
};

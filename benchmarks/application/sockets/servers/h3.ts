import { serve } from "h3";
import { createH3 } from "../../subjects/h3.ts";
import { hostname, type Listen } from "./listen.ts";

/** h3 with srvx, the `serve` of its guide. */
export const listen: Listen = async (input) => {
  const server = serve(createH3(input), { port: 0, hostname, silent: true });
  await server.ready();
  return Number(new URL(server.url ?? "").port);
};

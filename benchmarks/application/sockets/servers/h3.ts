import { serve } from "h3";
import { createH3 } from "../../subjects/h3.ts";
import { hostname, type Listen } from "./listen.ts";

/** h3 through srvx, which its guide calls `serve`. */
export const listen: Listen = async (input) => {
  const server = serve(createH3(input), { port: 0, hostname, silent: true });
  await server.ready();
  return Number(new URL(server.url ?? "").port);
};

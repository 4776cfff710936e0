import { createEspalier } from "../../subjects/espalier.ts";
import { hostname, type Listen } from "./listen.ts";

/** Espalier on Node, Deno and Bun. */
export const listen: Listen = async (input) => {
  const { port } = await createEspalier(input).listen({ port: 0, host: hostname });
  return port;
};

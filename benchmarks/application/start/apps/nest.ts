import { createNest } from "../../sockets/servers/nest.ts";
import type { CreateStartApp } from "./start-app.ts";

/** Without a socket: the `inject` of the underlying Fastify. */
export const create: CreateStartApp = async (routes) => {
  const app = await createNest({ application: "routes-300", routes, timed: [], checked: [] });
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return async (url) => (await app.inject({ method: "GET", url })).body;
};

import { createElysia } from "../../subjects/elysia.ts";
import { hostname, type Listen } from "./listen.ts";

/** Elysia on Bun, its primary runtime. */
export const listen: Listen = async (input) => {
  const app = createElysia(input);
  app.listen({ port: 0, hostname });
  return app.server?.port ?? 0;
};

import Fastify from "fastify";
import { tableAnswer } from "../../applications.ts";
import type { CreateStartApp } from "./start-app.ts";

/** Without a socket: Fastify's `inject`, which boots it as `listen` does. */
export const create: CreateStartApp = (routes) => {
  const app = Fastify();
  for (const [index, { pattern, names }] of routes.entries()) {
    app.get<{ Params: Record<string, string> }>(pattern, async ({ params }) =>
      tableAnswer(
        index,
        names.map((name) => params[name] ?? ""),
      ),
    );
  }
  return async (url) => (await app.inject(url)).body;
};

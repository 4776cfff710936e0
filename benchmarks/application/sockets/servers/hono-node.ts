import { serve } from "@hono/node-server";
import { createHono } from "../../subjects/hono.ts";
import { hostname, type Listen } from "./listen.ts";

/** Hono on Node, with `@hono/node-server`. */
export const listen: Listen = (input) =>
  new Promise((resolve) => {
    const { fetch } = createHono(input);
    serve({ fetch, port: 0, hostname }, ({ port }) => resolve(port));
  });

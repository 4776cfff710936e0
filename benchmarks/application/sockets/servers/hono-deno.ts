import { createHono } from "../../subjects/hono.ts";
import type { Listen } from "./listen.ts";
import { serveDeno } from "./serve-deno.ts";

/** Hono on Deno: `Deno.serve(app.fetch)`. */
export const listen: Listen = async (input) => serveDeno(createHono(input).fetch);

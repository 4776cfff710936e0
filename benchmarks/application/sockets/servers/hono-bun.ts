import { createHono } from "../../subjects/hono.ts";
import type { Listen } from "./listen.ts";
import { serveBun } from "./serve-bun.ts";

/** Hono on Bun, which serves its `fetch` as in its guide. */
export const listen: Listen = async (input) => serveBun(createHono(input).fetch);

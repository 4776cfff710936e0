import { bare } from "./bare.ts";
import { elysia } from "./elysia.ts";
import { espalier } from "./espalier.ts";
import { h3 } from "./h3.ts";
import { hono } from "./hono.ts";
import { ittyRouter } from "./itty-router.ts";
import { responseAlone } from "./response-alone.ts";
import type { Subject } from "./subject.ts";

/** All subjects measured in process: Espalier, the peers, and no framework. */
export const subjects: readonly Subject[] = [
  bare,
  espalier,
  responseAlone,
  hono,
  h3,
  ittyRouter,
  elysia,
];

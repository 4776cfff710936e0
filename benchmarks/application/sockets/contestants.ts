import { type ApplicationName, applicationNames } from "../applications.ts";
import type { RuntimeName } from "../runtimes/runtime.ts";

/** A runtime that listens on sockets itself. */
export type ServerRuntime = Exclude<RuntimeName, "workerd">;

/** Who listens on a runtime, each through its own way: a file of `servers` for each. */
export const contestants: Record<ServerRuntime, readonly (readonly [string, string])[]> = {
  node: [
    ["Espalier", "espalier"],
    ["Hono", "hono-node"],
    ["h3", "h3"],
    ["Fastify", "fastify"],
    ["NestJS on Fastify", "nest"],
    ["AdonisJS", "adonis"],
    ["node:http", "node-http"],
  ],
  bun: [
    ["Espalier", "espalier"],
    ["Hono", "hono-bun"],
    ["Elysia", "elysia-bun"],
    ["h3", "h3"],
  ],
  deno: [
    ["Espalier", "espalier"],
    ["Hono", "hono-deno"],
    ["h3", "h3"],
  ],
};

/** What is left out because the server alone has nothing for it. */
export const cannot: Readonly<Record<string, readonly ApplicationName[]>> = {
  AdonisJS: ["echo", "auth"],
  "node:http": applicationNames.filter((name) => name !== "hello"),
};

import { type ApplicationName, applicationNames } from "../applications.ts";
import type { RuntimeName } from "../runtimes/runtime.ts";
import { responseAloneName } from "../subjects/subject.ts";

/** A runtime with servers on sockets. */
export type ServerRuntime = Exclude<RuntimeName, "workerd">;

/** Servers of each runtime: each is a file of `servers` that uses the framework's usual adapter. */
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
    [responseAloneName, "alone-bun"],
    ["Hono", "hono-bun"],
    ["Elysia", "elysia-bun"],
    ["h3", "h3"],
  ],
  deno: [
    ["Espalier", "espalier"],
    [responseAloneName, "alone-deno"],
    ["Hono", "hono-deno"],
    ["h3", "h3"],
  ],
};

/** Applications that a server does not implement. */
export const cannot: Readonly<Record<string, readonly ApplicationName[]>> = {
  AdonisJS: ["echo", "auth"],
  "node:http": applicationNames.filter((name) => name !== "hello"),
};

/** Frameworks of each runtime: a file of `apps` for each. */
export const startContestants: Record<
  "node" | "workerd",
  readonly (readonly [subject: string, file: string])[]
> = {
  node: [
    ["Espalier", "espalier"],
    ["Espalier (core)", "espalier-core"],
    ["Hono", "hono"],
    ["h3", "h3"],
    ["itty-router", "itty-router"],
    ["Elysia", "elysia"],
    ["Fastify", "fastify"],
    ["NestJS on Fastify", "nest"],
  ],
  workerd: [
    ["Espalier", "espalier"],
    ["Espalier (core)", "espalier-core"],
    ["Hono", "hono"],
    ["h3", "h3"],
    ["itty-router", "itty-router"],
    ["Elysia", "elysia-workerd"],
  ],
};

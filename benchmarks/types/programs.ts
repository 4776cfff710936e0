/** Routes of one file, and of one router. */
const routesOfFile = 10;

/** How a framework's guide writes routes with a validated body, and the client that is inferred from their types. */
export interface Subject {
  readonly name: string;
  /** Packages that the program imports. */
  readonly packages: readonly string[];
  /** Returns a module that exports `routes`, the routes from number `first`. */
  readonly routes: (numbers: readonly number[], file: number) => string;
  /** Returns the module that joins all files. */
  readonly application: (files: readonly number[]) => string;
  /** Returns the module that calls one route of each file. */
  readonly client: (files: readonly number[]) => string;
}

/** Type-checks as the result of a call only if the client knows it. */
const expectTitle = "const title = (value: string | undefined): string => value ?? '';";

const importRoutes = (files: readonly number[]): string =>
  files.map((file) => `import { routes as r${file} } from "./routes-${file}.ts";`).join("\n");

const numberOf = (file: number): number => file * routesOfFile;

const espalier: Subject = {
  name: "Espalier",
  packages: ["espalier", "openapi-fetch"],
  routes: (numbers, file) => `
import { defineRoutes, json } from "espalier";
export const routes = defineRoutes("/f${file}", (r) => [
${numbers
  .map(
    (
      n,
    ) => `  r.post("/r${n}/:id", (ctx) => json({ id: ctx.params.id, title: ctx.validated.body.title${n} }), {
    body: { title${n}: { type: "string", required: true, max: 200 }, year: { type: "integer" } },
  }),`,
  )
  .join("\n")}
]);`,
  application: (files) => `
import { Application } from "espalier";
${importRoutes(files)}
const router = new Application().getRouter();
${files.map((file) => `router.include(r${file});`).join("\n")}
export type Routes = ${files.map((file) => `typeof r${file}`).join(" | ")};`,
  client: (files) => `
import { createClient } from "espalier/client";
import type { Routes } from "./application.ts";
${expectTitle}
const client = createClient<Routes>({ baseUrl: "https://api.example.org" });
${files
  .map((file) => {
    const n = numberOf(file);
    return `const a${file} = await client.POST("/f${file}/r${n}/{id}", { params: { path: { id: "7" } }, body: { title${n}: "Emma" } });
title(a${file}.data?.title);`;
  })
  .join("\n")}`,
};

const hono: Subject = {
  name: "Hono",
  packages: ["hono", "@hono/zod-validator", "zod"],
  routes: (numbers) => `
import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import { z } from "zod";
export const routes = new Hono()
${numbers
  .map(
    (n) => `  .post(
    "/r${n}/:id",
    zValidator("json", z.object({ title${n}: z.string().max(200), year: z.int().optional() })),
    (c) => c.json({ id: c.req.param("id"), title: c.req.valid("json").title${n} }, 200),
  )`,
  )
  .join("\n")};`,
  application: (files) => `
import { Hono } from "hono";
${importRoutes(files)}
const app = new Hono()
${files.map((file) => `  .route("/f${file}", r${file})`).join("\n")};
export type Routes = typeof app;`,
  client: (files) => `
import { hc } from "hono/client";
import type { Routes } from "./application.ts";
${expectTitle}
const client = hc<Routes>("https://api.example.org");
${files
  .map((file) => {
    const n = numberOf(file);
    return `const a${file} = await client.f${file}.r${n}[":id"].$post({ param: { id: "7" }, json: { title${n}: "Emma" } });
if (a${file}.ok) title((await a${file}.json()).title);`;
  })
  .join("\n")}`,
};

const elysia: Subject = {
  name: "Elysia",
  packages: ["elysia", "@elysiajs/eden"],
  routes: (numbers, file) => `
import { Elysia, t } from "elysia";
export const routes = new Elysia({ prefix: "/f${file}" })
${numbers
  .map(
    (
      n,
    ) => `  .post("/r${n}/:id", ({ params, body }) => ({ id: params.id, title: body.title${n} }), {
    body: t.Object({ title${n}: t.String({ maxLength: 200 }), year: t.Optional(t.Integer()) }),
  })`,
  )
  .join("\n")};`,
  application: (files) => `
import { Elysia } from "elysia";
${importRoutes(files)}
const app = new Elysia()
${files.map((file) => `  .use(r${file})`).join("\n")};
export type Routes = typeof app;`,
  client: (files) => `
import { treaty } from "@elysiajs/eden";
import type { Routes } from "./application.ts";
${expectTitle}
const client = treaty<Routes>("https://api.example.org");
${files
  .map((file) => {
    const n = numberOf(file);
    return `const a${file} = await client.f${file}.r${n}({ id: "7" }).post({ title${n}: "Emma" });
title(a${file}.data?.title);`;
  })
  .join("\n")}`,
};

export const subjects: readonly Subject[] = [espalier, elysia, hono];

/** Returns the modules of a program with some routes, by file name. */
export function modulesOf(subject: Subject, routes: number): ReadonlyMap<string, string> {
  const files = Array.from({ length: Math.ceil(routes / routesOfFile) }, (_, file) => file);
  const modules = new Map<string, string>();
  for (const file of files) {
    const first = numberOf(file);
    const length = Math.min(routesOfFile, routes - first);
    const numbers = Array.from({ length }, (_, index) => first + index);
    modules.set(`routes-${file}.ts`, subject.routes(numbers, file));
  }
  modules.set("application.ts", subject.application(files));
  modules.set("client.ts", subject.client(files));
  return modules;
}

import { CloudflareAdapter } from "elysia/adapter/cloudflare-worker";
import { createElysia, elysia } from "./elysia.ts";
import type { Subject } from "./subject.ts";
import { subjects as everywhere } from "./subjects.ts";

const elysiaOnWorkers: Subject = {
  name: elysia.name,
  create: (input) => createElysia(input, CloudflareAdapter).fetch,
};

/** Subjects in workerd, where Elysia requires another adapter. */
export const subjects: readonly Subject[] = everywhere.map((subject) =>
  subject === elysia ? elysiaOnWorkers : subject,
);

import { json, type Router, type RouteValidation, type ValidationRule } from "espalier";
import { z } from "zod";

const rules: Readonly<Record<string, ValidationRule>> = {
  required: { required: true },
  string: { type: "string", min: 2, max: 4 },
  number: { type: "number", min: -1, max: 10 },
  integer: { type: "integer" },
  boolean: { type: "boolean" },
  array: { type: "array", min: 1, max: 2, items: { type: "integer" } },
  object: { type: "object", schema: { name: { type: "string", required: true } } },
  email: { type: "email" },
  url: { type: "url" },
  uuid: { type: "uuid" },
  date: { type: "date" },
  file: { type: "file", required: true },
  enum: { enum: ["red", "green"] },
  pattern: { type: "string", pattern: /^[a-z]+$/g },
  nullable: { type: "string", nullable: true, required: true },
  default: { type: "integer", default: 7 },
  message: { type: "integer", message: "Tell us a whole number." },
  custom: { custom: (value) => (value === "taken" ? "is taken already" : value === "free") },
  slow: { custom: async (value) => (await Promise.resolve(value)) === "free" },
};

/** Registers routes with every rule, source, nested names and a schema of a library. */
export function addValidation(router: Router): void {
  const show = (path: string, validation: RouteValidation): void => {
    router.match(["GET", "POST"], `/valid${path}`, (ctx) => json(ctx.validated), { validation });
  };
  for (const [name, rule] of Object.entries(rules)) {
    router.post(
      `/valid/body/${name}`,
      (ctx) => {
        const { a } = (ctx.validated as { body: { a?: unknown } }).body;
        return json(a instanceof File ? [a.name, a.size] : { a });
      },
      { validation: { body: { a: rule } } },
    );
    if (name !== "file") show(`/query/${name}`, { query: { a: rule } });
  }
  show("/nested", {
    "author.name": { required: true, type: "string" },
    "tags.*": { type: "string", min: 2 },
    "items.*.id": { type: "integer", required: true },
  });
  show("/sources/:id", {
    params: { id: { type: "integer" } },
    query: { page: { type: "integer", required: true } },
    headers: { "x-tenant": { type: "string", required: true } },
  });
  show("/flat/:id", { id: { type: "integer" }, name: { required: true } });
  show("/schema", { body: z.object({ name: z.string(), age: z.number().max(150) }) });
  show("/refined", {
    body: z.object({ name: z.string().refine(async (name) => name !== "taken", "taken already") }),
  });
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import { createProject } from "./support/project.ts";

const app = `
import { Application, Controller } from "espalier";
export const app = new Application();
app.getRouter().get("/books/:id", class ShowBook extends Controller.for({
  query: { lines: { type: "integer", min: 1 } },
}) {
  handle() { return this.success({}); }
}, { name: "books.show" });
`;
const packages = ["esbuild", "openapi-typescript", "typescript"];

test("prints the document to standard output", () => {
  using project = createProject({ "src/app.ts": app });
  const { output, errors, code } = project.espalier("openapi");
  expect({ errors, code }).toEqual({ errors: "", code: 0 });
  const document = JSON.parse(output);
  expect(document).toMatchObject({
    openapi: "3.1.0",
    info: { title: "API" },
    paths: { "/books/{id}": { get: { operationId: "books.show" } } },
  });
});

test("equals the served document, even if that is protected by middleware", () => {
  using project = createProject({
    "src/app.ts": `${app}
      app.use(() => new Response("no", { status: 403 }));
      app.exposeOpenApi("/internal/api.json", { info: { title: "Books", version: "7.0.0" } });`,
  });
  const document = JSON.parse(project.espalier("openapi").output);
  expect(document.info).toEqual({ title: "Books", version: "7.0.0" });
});

test("--out writes a file and creates its folder", () => {
  using project = createProject({ "src/app.ts": app });
  const { output, errors } = project.espalier("openapi", "src/app.ts", "--out", "made/api.json");
  expect(output).toBe("");
  expect(errors).toBe("Wrote made/api.json\n");
  expect(JSON.parse(project.read("made/api.json")).openapi).toBe("3.1.0");
});

test("--client writes types", () => {
  using project = createProject({ "src/app.ts": app }, packages);
  const { output, errors, code } = project.espalier("openapi", "--client=src/api.ts");
  expect({ output, errors, code }).toEqual({ output: "", errors: "Wrote src/api.ts\n", code: 0 });
  const types = project.read("src/api.ts");
  expect(types).toContain("export interface paths {");
  expect(types).toContain("lines?: number;");
});

test("--client writes types alone, whatever a description contains", () => {
  const attack = '*/ globalThis.attacked = 1; /*\n*/ export const a = "`"; //\u2028 }';
  using project = createProject(
    {
      "src/app.ts": `
import { Application } from "espalier";
const attack = ${JSON.stringify(attack)};
export const app = new Application();
app.getRouter().post("/books/:id", () => new Response(), {
  summary: attack,
  description: attack,
  operationId: attack,
  tags: [attack],
  fields: { title: attack },
  validation: { title: { enum: [attack, "b"], default: attack } },
  responses: { 200: attack },
});`,
    },
    packages,
  );
  expect(project.espalier("openapi", "--client=src/api.ts")).toMatchObject({ code: 0 });
  const types = project.read("src/api.ts");
  expect(types).toContain("globalThis.attacked");
  const { code } = transformSync(types, { loader: "ts", legalComments: "none" });
  expect(code).toBe("");
});

test("--client without openapi-typescript fails before anything is written", () => {
  using project = createProject({ "src/app.ts": `console.log("imported");${app}` });
  const { errors, code } = project.espalier("openapi", "--client", "api.ts", "--out", "api.json");
  expect(code).toBe(1);
  expect(errors).toContain("--client requires the package openapi-typescript");
  // Without the override, npm rejects it beside TypeScript 6, which the starter's projects use.
  expect(errors).toContain("npm pkg set 'overrides.openapi-typescript.typescript=$typescript'");
  expect(errors).toContain("npm install --save-dev openapi-typescript");
  expect(errors).not.toContain("imported");
  expect(existsSync(join(project.folder, "api.json"))).toBe(false);
});

test("an application that fails at boot is an error that lists all problems", () => {
  using project = createProject({
    "src/app.ts": `${app} app.configure("mail", { key: { type: "string", required: true } }, { envPrefix: "MAIL_" });
      app.getRouter().get("/x", () => new Response(), { middleware: ["atuh"] });`,
  });
  const { code, errors, output } = project.espalier("openapi");
  expect({ code, output }).toEqual({ code: 1, output: "" });
  expect(errors).toContain("The application fails at boot, so no OpenAPI document can be created.");
  expect(errors).toContain("Configuration mail.key");
  expect(errors).toContain('names the middleware "atuh"');
});

test("a file that cannot be written is an error", () => {
  using project = createProject({ "src/app.ts": app });
  const { code, errors } = project.espalier("openapi", "--out", "src");
  expect(code).toBe(1);
  expect(errors).toContain("Cannot write src: ");
});

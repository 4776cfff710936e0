// Writes the OpenAPI document of an application to a file.
//
//   node scripts/openapi.mjs examples/bookshelf/app.ts [--export createBookshelf] [--path
// /openapi.json]
//                            [--out openapi.json]
//
// The module exports an application that calls `exposeOpenApi`, or a function that creates one. Without
// --export, the default export or the only one is used.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    export: { type: "string" },
    path: { type: "string", default: "/openapi.json" },
    out: { type: "string", default: "openapi.json" },
  },
});
const [file] = positionals;
if (file === undefined) throw new Error("Pass the module that exports the application.");

const module = await import(pathToFileURL(resolve(file)).href);
const names = Object.keys(module);
const name = values.export ?? ("default" in module || names.length !== 1 ? "default" : names[0]);
const exported = module[name];
if (exported === undefined) {
  throw new Error(`${file} has no export "${name}". Known: ${names.join(", ")}.`);
}
const app = typeof exported === "function" ? await exported() : exported;
if (typeof app?.request !== "function")
  throw new Error(`The export "${name}" of ${file} must be an application.`);

const response = await app.request(values.path);
if (response.status !== 200) {
  throw new Error(`${values.path} responded with ${response.status}. Call exposeOpenApi.`);
}
const document = await response.json();
writeFileSync(values.out, `${JSON.stringify(document, null, 2)}\n`);
const count = Object.values(document.paths).flatMap(Object.keys).length;
console.log(
  `${values.out}: ${count} operations under ${Object.keys(document.paths).length} paths.`,
);
await app.stop();

// Writes the OpenAPI description of an application to a file.
//
//   node scripts/openapi.mjs examples/bookshelf/app.ts [--export createBookshelf] [--path
// /openapi.json]
//                            [--out openapi.json]
//
// The module exports an application, or a function that makes one, which calls `exposeOpenApi`. The
// export is the default one, or the only one, if none is named.
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
if (file === undefined) throw new Error("Name the module that exports the application.");

const module = await import(pathToFileURL(resolve(file)).href);
const names = Object.keys(module);
const name = values.export ?? ("default" in module || names.length !== 1 ? "default" : names[0]);
const exported = module[name];
if (exported === undefined) {
  throw new Error(`${file} has no export "${name}". It has: ${names.join(", ")}.`);
}
const app = typeof exported === "function" ? await exported() : exported;
if (typeof app?.request !== "function") throw new Error(`"${name}" of ${file} is no application.`);

const response = await app.request(values.path);
if (response.status !== 200) {
  throw new Error(`${values.path} answers ${response.status}. Does it call exposeOpenApi?`);
}
const document = await response.json();
writeFileSync(values.out, `${JSON.stringify(document, null, 2)}\n`);
const count = Object.values(document.paths).flatMap(Object.keys).length;
console.log(
  `${values.out}: ${count} operations under ${Object.keys(document.paths).length} paths.`,
);
await app.stop();

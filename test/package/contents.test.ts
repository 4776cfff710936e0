import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as espalier from "espalier";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../support/bundle.ts";
import { type Consumer, installPacked } from "../support/packed-package.ts";

let consumer: Consumer;
beforeAll(() => {
  consumer = installPacked(["@cloudflare/workers-types", "@types/node"]);
});
afterAll(() => consumer.remove());

const read = (file: string): string =>
  readFileSync(join(consumer.folder, "node_modules/espalier", file), "utf8");

test("the tarball holds what is built and nothing of the workshop", () => {
  const outside = consumer.files.filter(
    (file) => !/^(dist\/|package\.json|[A-Z]+(\.md)?$)/.test(file),
  );
  expect(outside).toEqual([]);
  for (const file of ["dist/index.js", "dist/index.d.ts", "dist/router-wasm/router.wasm"]) {
    expect(consumer.files).toContain(file);
  }
});

test("no declaration refers to a platform's types", () => {
  for (const file of consumer.files.filter((name) => name.endsWith(".d.ts"))) {
    // Comments are ignored.
    const code = read(file).replaceAll(/\/\*[\s\S]*?\*\//g, "");
    expect(code).not.toMatch(/workers-types|from ['"]node:|types="node"|NodeJS\./);
  }
});

test("no file holds a path of the machine it was built on", () => {
  for (const file of consumer.files) expect(read(file)).not.toContain(root);
});

test("the router has the size it promises: 18 kB, 9 kB gzipped", () => {
  const bytes = readFileSync(join(root, "router-wasm/pkg/router.wasm"));
  expect(bytes.length).toBeLessThanOrEqual(18_000);
  expect(gzipSync(bytes, { level: 9 }).length).toBeLessThan(9_050);
});

test("the router imports nothing", () => {
  const module = new WebAssembly.Module(readFileSync(join(root, "router-wasm/pkg/router.wasm")));
  expect(WebAssembly.Module.imports(module)).toEqual([]);
});

test("the public names are these", () => {
  expect(Object.keys(espalier).sort()).toMatchSnapshot();
});

describe("type-checks without skipLibCheck", () => {
  const source = `
import { Application, Controller, json } from "espalier";
declare module "espalier" { interface Register { user: { id: string } } }
const app = new Application();
app.getRouter().get("/users/:id", (ctx) => {
  const id: string = ctx.params.id;
  const user: { id: string } | null | undefined = ctx.user;
  return json({ id, user }, 200, { "x-id": id });
});
// @ts-expect-error a number is not a HeadersInit: the type is not \`any\` where a platform lacks the name
json({}, 200, 7);
class Create extends Controller.for({ body: { name: { type: "string", required: true } } }) {
  async handle() { return this.success(this.body.name.toUpperCase()); }
}
app.getRouter().post("/users", Create);
export default app.worker();
`;
  test.each([
    ["for a page", { lib: ["es2022", "dom", "dom.iterable"], types: [] }],
    ["for a worker of the web", { lib: ["es2022", "webworker"], types: [] }],
    ["beside Cloudflare's types", { lib: ["es2022"], types: ["@cloudflare/workers-types"] }],
    ["beside Node's types, without those of a page", { lib: ["es2023"], types: ["node"] }],
  ])("%s", (_title, options) => {
    consumer.write("consumer.ts", source);
    const compilerOptions = {
      strict: true,
      module: "esnext",
      moduleResolution: "bundler",
      target: "es2022",
      noEmit: true,
      skipLibCheck: false,
      exactOptionalPropertyTypes: true,
      ...options,
    };
    consumer.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
    const output = run([join(root, "node_modules/typescript/bin/tsc"), "-p", "."]);
    expect(output).toBe("");
  });
});

test("the application of espalier/core has the methods that exist there, and no others", () => {
  consumer.write(
    "core.ts",
    `
import { Application, json } from "espalier/core";
const app = new Application();
app.getRouter().get("/", (ctx) => {
  ctx.app.onError(() => undefined);
  // @ts-expect-error the cache belongs to \`espalier\`
  void ctx.app.cacheGet("key");
  // @ts-expect-error the queue belongs to \`espalier\`
  void ctx.app.enqueue("job", {});
  return json({});
});
export default app.worker();
`,
  );
  const compilerOptions = {
    strict: true,
    module: "esnext",
    moduleResolution: "bundler",
    target: "es2022",
    lib: ["es2022", "webworker"],
    noEmit: true,
  };
  consumer.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["core.ts"] }));
  expect(run([join(root, "node_modules/typescript/bin/tsc"), "-p", "."])).toBe("");
});

function run(args: readonly string[]): string {
  try {
    return execFileSync(process.execPath, args, { cwd: consumer.folder, encoding: "utf8" });
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? error);
  }
}

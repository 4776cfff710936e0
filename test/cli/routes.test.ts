import { describe, expect, test } from "vitest";
import { createProject, findNode20 } from "./support/project.ts";

const app = `
import { Application, Controller, json } from "espalier";
class ShowBook extends Controller { handle() { return this.success({}); } }
export const app = new Application();
app.use(function stamp(_ctx: unknown, next: () => Promise<Response>) { return next(); });
app.middleware("auth", (_ctx, next) => next());
app.getRouter().get("/books/:id", ShowBook, { name: "books.show", middleware: ["auth", "can:read"] });
app.getRouter().post("/books", () => json({}), { middleware: [(_ctx, next) => next()] });
app.definePolicy("read", () => true);
app.enableHealthEndpoints();
`;

describe("the list", () => {
  test("as a table", () => {
    using project = createProject({ "src/app.ts": app });
    const { code, output, errors } = project.espalier("routes");
    expect(errors).toBe("");
    expect(code).toBe(0);
    expect(output.split("\n").slice(0, 4)).toEqual([
      "METHOD  PATH           NAME        MIDDLEWARE      CONTROLLER",
      "GET     /books/:id     books.show  auth, can:read  ShowBook",
      "POST    /books                     (inline)        (function)",
      "GET     /health                                    answerHealth",
    ]);
    expect(output).toContain("5 routes; global middleware: stamp");
  });

  test("as JSON, without the application's logs", () => {
    using project = createProject({
      "src/app.ts": `${app}console.log("imported"); app.logger.info("ready");
        app.on("app.booted", () => console.info("booted"));`,
    });
    const { output, errors } = project.espalier("routes", "--json");
    expect(JSON.parse(output)[0]).toEqual({
      method: "GET",
      path: "/books/:id",
      name: "books.show",
      middleware: ["auth", "can:read"],
      controller: "ShowBook",
      internal: false,
    });
    expect(errors).toContain("imported");
    expect(errors).toContain("ready");
    expect(errors).toContain("booted");
  });

  test("of an application without routes", () => {
    using project = createProject({
      "app.js": 'import { Application } from "espalier"; export default new Application();',
    });
    expect(project.espalier("routes").output).toBe("The application has no routes.\n");
  });

  test("has the routes of providers, and is printed even if boot fails", () => {
    using project = createProject({
      "src/app.ts": `
        import { Application, json } from "espalier";
        export const app = new Application();
        app.configure("mail", { key: { type: "string", required: true } }, { envPrefix: "MAIL_" });
        app.registerProvider({ register(it: Application) { it.getRouter().get("/late", () => json({})); } });
      `,
    });
    const failed = project.espalier("routes");
    expect(failed.code).toBe(0);
    expect(failed.output).toContain("/late");
    expect(failed.errors).toContain("Warning: The application cannot start: 1 problem.");
    project.write(".dev.vars", "MAIL_KEY=secret\n");
    expect(project.espalier("routes").errors).toBe("");
  });
});

describe("finds the application in", () => {
  const minimal = `import { Application } from "espalier";\nconst made = new Application();`;
  test.each([
    ["an export app", `${minimal} export { made as app };`],
    ["a default export", `${minimal} export default made;`],
    ["a worker", `${minimal} export default made.worker();`],
    [
      "a worker with additional handlers",
      `${minimal} export default { ...made.worker(), email() {} };`,
    ],
    ["an export with another name", `${minimal} export { made as library };`],
    ["a function that creates it", `${minimal} export function createApp() { return made; }`],
    ["an async one", `${minimal} export const createLibrary = async () => made;`],
  ])("%s", (_title, text) => {
    using project = createProject({ "src/index.ts": text });
    expect(project.espalier("routes").output).toContain("has no routes");
  });

  test.each([
    ["nothing", "", "src/app.ts exports no application. It exports nothing."],
    ["something else", "export const a = 1;", "It exports a. Use `export const app ="],
    ["no application", "export default { fetch() {} };", "exports no application"],
    ["another result", "export const createApp = () => 1;", "createApp() does not return one"],
    [
      "two",
      `${minimal} export { made as first }; export const second = new Application();`,
      'src/app.ts exports several applications: first, second. Export one of them as "app".',
    ],
    [
      "an old version",
      "const f = () => {}; export const app = { getRouter: f, fetch: f, boot: f, worker: f };",
      "version of espalier does not support inspection",
    ],
  ])("reports an error for %s", (_title, text, message) => {
    using project = createProject({ "src/app.ts": text });
    const { code, errors } = project.espalier("routes");
    expect(errors).toContain(message);
    expect(code).toBe(1);
  });

  test("searches wrangler's main, then the usual names, then package.json", () => {
    const of = (path: string): string =>
      `import { Application, json } from "espalier"; export const app = new Application();
       app.getRouter().get("${path}", () => json({}));`;
    using project = createProject({ "lib/main.js": of("/package") });
    project.write("package.json", '{ "type": "module", "main": "lib/main.js" }');
    expect(project.espalier("routes").output).toContain("/package");
    project.write("src/worker.ts", of("/usual"));
    expect(project.espalier("routes").output).toContain("/usual");
    project.write("edge.ts", of("/wrangler"));
    project.write("wrangler.jsonc", '{ "main": "edge.ts", /* yes */ }');
    expect(project.espalier("routes").output).toContain("/wrangler");
    expect(project.espalier("routes", "src/worker.ts").output).toContain("/usual");
  });

  test("nowhere", () => {
    using project = createProject({});
    expect(project.espalier("routes").errors).toContain("No application found in");
    expect(project.espalier("routes", "no.ts").errors).toContain("File no.ts not found in");
  });
});

const likeWrangler = {
  "src/worker.ts": `
    import { DurableObject, env } from "cloudflare:workers";
    import { readFileSync } from "node:fs";
    import { RpcThing } from "needs-workers";
    import { greet } from "./greet";
    import router from "espalier/router.wasm";
    import own from "./own.wasm?module";
    import note from "./note.txt";
    import { app } from "@/app";
    enum Path { Hello = "/hello" }
    export class Room extends DurableObject {}
    export class Thing extends RpcThing {}
    const beside = readFileSync(new URL("./note.txt", import.meta.url), "utf8");
    app.getRouter().get(Path.Hello, greet, {
      name: [router, own].map((it) => it instanceof WebAssembly.Module).join("-") +
        (note === beside ? note : "") + env.GREETING,
    });
    export default app.worker();
  `,
  "src/greet.ts": "export function greet() { return new Response(); }",
  "src/app.ts": 'import { Application } from "espalier"; export const app = new Application();',
  "src/note.txt": "note",
  "node_modules/needs-workers/package.json": '{ "type": "module", "exports": "./index.js" }',
  "node_modules/needs-workers/index.js":
    'export { RpcTarget as RpcThing } from "cloudflare:workers";',
  "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
  "wrangler.toml": 'main = "src/worker.ts"\n[vars]\nGREETING = "hi"\n',
};
/** An empty module. */
const emptyWasm = "\0asm\u0001\0\0\0";

describe("supports the same files as wrangler", () => {
  test("enums, paths, modules of Workers, WebAssembly, text files, files beside the module", () => {
    using project = createProject({ ...likeWrangler, "src/own.wasm": emptyWasm });
    const { output, errors } = project.espalier("routes");
    expect(errors).toBe("");
    expect(output).toMatch(/GET {5}\/hello {2}true-truenotehi {14}greet/);
    // Temporary files are removed.
    expect(project.espalier("routes", ".espalier").errors).toContain("File .espalier not found");
  });

  test("a syntax error is reported", () => {
    using project = createProject({ "src/app.ts": "const x = ;" });
    const { errors } = project.espalier("routes");
    expect(errors).toContain("Cannot parse");
    expect(errors).toContain("src/app.ts:1:10");
  });

  test("an error during import is reported with its original line", () => {
    using project = createProject({ "src/app.ts": "\n\nthrow new Error('no luck' as string);" });
    const { errors, code } = project.espalier("routes");
    expect(code).toBe(1);
    expect(errors).toContain("Importing src/app.ts failed.\nError: no luck");
    expect(errors).toContain("src/app.ts:3:");
  });

  test("the command exits even if the file starts a server, and suggests a fix if that fails", () => {
    using project = createProject({
      "src/app.ts": `import { Application } from "espalier";
        export const app = new Application();
        const { url } = await app.listen({ port: 0, host: "127.0.0.1" });
        if (process.env.TWICE === "yes") {
          await new Application().listen({ port: Number(new URL(url).port), host: "127.0.0.1" });
        }`,
    });
    expect(project.espalier("routes").output).toContain("has no routes");
    project.write(".dev.vars", "TWICE=yes");
    expect(project.espalier("routes").errors).toContain(
      "Importing it starts a server. Move `app.listen()` to a separate file.",
    );
  });
});

describe("without esbuild", () => {
  test("Node supports TypeScript directly", () => {
    using project = createProject({ "src/app.ts": app }, []);
    expect(project.espalier("routes").output).toContain("ShowBook");
  });

  test("syntax that Node does not support is an error", () => {
    using project = createProject({ "src/app.ts": `${app} enum A { B }` }, []);
    expect(project.espalier("routes").errors).toContain("npm install --save-dev esbuild");
  });
});

const node20 = findNode20();
describe.skipIf(node20 === undefined)("on Node 20 (skipped if not installed)", () => {
  test("with esbuild", () => {
    const { "node_modules/needs-workers/index.js": _, ...files } = likeWrangler;
    using project = createProject({
      ...files,
      "src/own.wasm": emptyWasm,
      "node_modules/needs-workers/index.js": "export class RpcThing {}",
    });
    const { output, errors } = project.espalierBy(node20 ?? "", "routes");
    expect(errors).toBe("");
    expect(output).toContain("/hello");
  });

  test("TypeScript without esbuild is an error", () => {
    using project = createProject({ "src/app.ts": app }, []);
    expect(project.espalierBy(node20 ?? "", "routes").errors).toContain(
      "does not support. Install esbuild (npm install --save-dev esbuild), or use Node 22.18",
    );
  });

  test("JavaScript needs no esbuild", () => {
    using project = createProject(
      {
        "app.js": `import { Application } from "espalier"; export const app = new Application();
          app.getRouter().get("/", () => new Response());`,
      },
      [],
    );
    expect(project.espalierBy(node20 ?? "", "routes").output).toContain("1 route");
  });
});

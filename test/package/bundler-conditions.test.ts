import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundle } from "../../benchmarks/application/runtimes/bundle.ts";
import { root } from "../support/bundle.ts";

/** Strings of what the condition `production` replaces, and of an application that has it. */
const traces: Readonly<Record<string, string>> = {
  "suggestions of names": "Nothing is registered yet.",
  "descriptions of values": "a stream",
  "explanations of patterns": "no lookaround",
  "names of methods of other objects": "The application has no method",
};
const tracesOfServices: Readonly<Record<string, string>> = {
  "the warning about stalled services": "is still being created after",
  "the page of the option debug": "<h2>Request</h2>",
  "the check of responses": "differs from its responses",
  "the order of policies": "so every request gets a 401",
  "the check of constructors": "static inject lists",
};

const workerd = ["workerd", "worker", "browser", "import"];
const codeOf = (from: string): string => `
  import { Application, text } from "${from}";
  const app = new Application();
  app.getRouter().get("/", () => text("Hello, world!"));
  export default app.worker();
`;

async function found(from: string, conditions: readonly string[]): Promise<readonly string[]> {
  const options = { conditions: [...conditions] };
  const { code } = await bundle({ code: codeOf(from) }, "workerd", options);
  const all = from === "espalier" ? { ...traces, ...tracesOfServices } : traces;
  return Object.keys(all).filter((name) => code.includes(all[name] ?? ""));
}

describe("with the condition production", () => {
  test.each([
    ["espalier/core", Object.keys(traces)],
    ["espalier", [...Object.keys(traces), ...Object.keys(tracesOfServices)]],
  ])("a bundle of %s has no hints", async (from, names) => {
    expect(await found(from, workerd)).toEqual(names);
    expect(await found(from, [...workerd, "production"])).toEqual([]);
  });

  test("every replacement is in the package, with exports of the original", async () => {
    const files = readdirSync(join(root, "src/production"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => file.replace(/\.ts$/, ""));
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const exportsOf = async (folder: string): Promise<readonly string[]> =>
        Object.keys(await import(pathToFileURL(join(root, folder, `${file}.js`)).href)).sort();
      const [original, replacement] = [
        await exportsOf("dist/modules"),
        await exportsOf("dist/modules/production"),
      ];
      expect(replacement.length, file).toBeGreaterThan(0);
      expect(original, file).toEqual(expect.arrayContaining([...replacement]));
    }
  });
});

describe("an application of such a bundle", () => {
  interface Facts {
    readonly failed: readonly [status: number, body: Readonly<Record<string, unknown>>];
    readonly codes: readonly string[];
    readonly messages: readonly string[];
  }
  let folder: string;
  let facts: Facts;

  beforeAll(async () => {
    const code = `
      import { Application, Controller, text } from "espalier";
      const silent = { debug() {}, info() {}, warn() {}, error() {} };
      const app = new Application({ debug: true, validateResponses: true, logger: silent });
      const router = app.getRouter();
      router.get("/fails", () => { throw new Error("The shelf is broken."); });
      const errors = [];
      const attempt = (action) => { try { action(); } catch (error) { errors.push(error); } };
      attempt(() => new Application({ prot: 1 }));
      attempt(() => router.get("/:a:b", () => text("")));
      attempt(() => router.get("/", 5));
      attempt(() => app.resolve("boks"));
      attempt(() => app.singleton("books", new Date()));
      const response = await app.request("/fails");
      const unbooted = new Application({ logger: silent });
      unbooted.getRouter().get("/", () => text(""), { middleware: ["auht"] });
      errors.push(...(await unbooted.boot().catch((error) => error.errors)));
      export default {
        failed: [response.status, await response.json()],
        codes: errors.map(({ code }) => code),
        messages: errors.map(({ message }) => message),
      };
    `;
    folder = mkdtempSync(join(tmpdir(), "espalier-production-"));
    const bundled = await bundle({ code }, "workerd", { conditions: ["production", "import"] });
    const file = join(folder, "facts.mjs");
    writeFileSync(file, bundled.code);
    const module = (await import(pathToFileURL(file).href)) as { readonly default: Facts };
    facts = module.default;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("throws the same errors, without suggestions", () => {
    expect(facts.codes).toEqual([
      "ERR_APPLICATION_BAD_OPTION",
      "ERR_ROUTE_PATTERN",
      "ERR_ROUTE_BAD_HANDLER",
      "ERR_CONTAINER_NOT_REGISTERED",
      "ERR_CONTAINER_BAD_FACTORY",
      "ERR_PIPELINE_UNKNOWN_MIDDLEWARE",
    ]);
    expect(facts.messages[0]).toBe('Application: unknown option "prot".');
    expect(facts.messages[3]).toContain('Service "boks" is not registered. Register it');
    for (const message of facts.messages) expect(message).not.toContain("undefined");
  });

  test("does not show errors with the option debug", () => {
    const [status, body] = facts.failed;
    expect(status).toBe(500);
    expect(body["detail"]).toBe("An unexpected error occurred.");
    expect(JSON.stringify(body)).not.toContain("shelf");
  });
});

describe("a bundle for Node", () => {
  const node = ["node", "module", "import"];

  test("consists of modules, and listens", async () => {
    const code = `
      import { Application, text } from "espalier";
      const app = new Application();
      app.getRouter().get("/", () => text("Hello, world!"));
      const server = await app.listen({ port: 0 });
      export default await (await fetch(server.url)).text();
      await app.stop();
    `;
    const folder = mkdtempSync(join(tmpdir(), "espalier-node-bundle-"));
    try {
      const bundled = await bundle({ code }, "node", { conditions: node });
      // A class that the application does not import, which a chunk would contain.
      expect(bundled.code).not.toContain("IdempotencyMiddleware");
      const file = join(folder, "index.mjs");
      writeFileSync(file, bundled.code);
      const module = (await import(pathToFileURL(file).href)) as { readonly default: string };
      expect(module.default).toBe("Hello, world!");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("heeds the conditions", async () => {
    const codeWith = async (conditions: readonly string[]): Promise<string> =>
      (await bundle({ code: codeOf("espalier") }, "node", { conditions: [...conditions] })).code;
    const omitted = ["Nothing is registered yet.", "ERR_QUEUE_JOB_TIMEOUT"];
    const whole = await codeWith(node);
    const small = await codeWith([...node, "production", "espalier-no-queue"]);
    for (const text of omitted) {
      expect(whole).toContain(text);
      expect(small).not.toContain(text);
    }
  });
});

describe("conditions that omit parts", () => {
  /** Strings of each part: of what is evaluated at startup, and of what is loaded later. */
  const tracesOfParts: Readonly<Record<string, readonly string[]>> = {
    openapi: ["ERR_OPENAPI_BAD_OPTION", "#/components/schemas/"],
    queue: ["ERR_QUEUE_BAD_OPTION", "ERR_QUEUE_JOB_TIMEOUT"],
    cache: ["ERR_CACHE_BAD_STORE", "ERR_CACHE_BAD_PRODUCER"],
    validation: ["ERR_VALIDATION_BAD_RULE"],
    multipart: ["delimiter is missing"],
    metrics: ["ERR_METRICS_BAD_OPTION", "http_server_request_duration_seconds"],
    observability: ["ERR_OBSERVABILITY_BAD_OPTION", "server-timing"],
    cookies: ["ERR_HTTP_BAD_COOKIE"],
    urls: ["ERR_ROUTE_MISSING_PARAMETER"],
    trace: ["new Uint32Array(6)"],
    "client-address": ["cf-connecting-ip"],
    config: ["ERR_CONFIG_BAD_SECTION"],
    plugins: ["ERR_PLUGIN_BAD_SHAPE"],
    schedule: ["is not a cron expression:"],
    broadcast: ["The name of a broadcast must"],
  };
  const conditions = Object.keys(tracesOfParts).map((part) => `espalier-no-${part}`);

  test("leave none of their code in a bundle", async () => {
    const all = Object.values(tracesOfParts).flat();
    const traced = async (added: readonly string[]): Promise<readonly string[]> => {
      const options = { conditions: [...workerd, ...added] };
      const { code } = await bundle({ code: codeOf("espalier") }, "workerd", options);
      return all.filter((trace) => code.includes(trace));
    };
    expect(await traced([])).toEqual(all);
    expect(await traced(conditions)).toEqual([]);
  });

  test("make an application that uses the part fail with an error that names it", async () => {
    const code = `
      import { Application, text } from "espalier";
      const silent = { debug() {}, info() {}, warn() {}, error() {} };
      const create = () => new Application({ logger: silent });
      const codeOf = (work) => work.then(() => "none", ({ code, message }) => [code, message]);
      const withRules = create();
      withRules.getRouter().get("/", () => text(""), { query: { page: { type: "integer" } } });
      const attempt = async (use) => use(create());
      const failing = create();
      failing.getRouter().get("/", () => text(""), { name: "home" });
      for (const member of ["cookies", "trace", "ip"]) {
        failing.getRouter().get("/" + member, (ctx) => text(String(ctx[member])));
      }
      const failures = [];
      failing.onError((error) => { failures.push([error.code, error.message]); });
      for (const member of ["cookies", "trace", "ip"]) await failing.request("/" + member);
      const hello = create();
      hello.getRouter().get("/", () => text("Hello, world!"));
      export default {
        hello: await (await hello.request("/")).text(),
        rules: await codeOf(withRules.boot()),
        document: await codeOf(create().createOpenApiDocument()),
        exposed: await codeOf(attempt((app) => app.exposeOpenApi("/openapi.json"))),
        job: await codeOf(attempt((app) => app.getQueue().enqueue("mail.send", {}))),
        driver: await codeOf(attempt((app) => app.useInMemoryQueue())),
        driverName: await codeOf(attempt((app) => app.getQueueDriver())),
        batch: await codeOf(hello.worker().queue({ messages: [] }, {}, { waitUntil() {} })),
        cache: await codeOf(attempt((app) => app.cacheGet("key"))),
        cacheStore: await codeOf(attempt((app) => app.useCacheStore(new Map()))),
        metrics: await codeOf(attempt((app) => app.exposeMetrics("/metrics"))),
        observability: await codeOf(attempt((app) => app.useRequestObservability())),
        failures,
        url: await codeOf(attempt(() => failing.getRouter().url("home"))),
        proxies: await codeOf(attempt(() => new Application({ trustProxy: 1 }))),
        section: await codeOf(attempt((app) => app.configure("mail", {}))),
        plugin: await codeOf(attempt((app) => app.registerPlugin({ name: "mail", boot() {} }))),
        provider: await codeOf(attempt((app) => app.registerProvider({ boot() {} }))),
        schedule: await codeOf(attempt((app) => app.schedule("0 3 * * *", () => {}))),
        broadcast: await codeOf(attempt((app) => app.broadcast("prices.changed"))),
        onBroadcast: await codeOf(attempt((app) => app.onBroadcast("prices.changed", () => {}))),
        stopped: await hello.stop(),
      };
    `;
    expect(await evaluated(code, conditions)).toEqual({
      hello: "Hello, world!",
      rules: refused("validation"),
      document: refused("openapi"),
      exposed: refused("openapi"),
      job: refused("queue"),
      driver: refused("queue"),
      driverName: refused("queue"),
      batch: refused("queue"),
      cache: refused("cache"),
      cacheStore: refused("cache"),
      metrics: refused("metrics"),
      observability: refused("observability"),
      failures: [refused("cookies"), refused("trace"), refused("client-address")],
      url: refused("urls"),
      proxies: refused("client-address"),
      section: refused("config"),
      plugin: refused("plugins"),
      provider: refused("plugins"),
      schedule: refused("schedule"),
      broadcast: refused("broadcast"),
      onBroadcast: refused("broadcast"),
      stopped: undefined,
    });
  });

  test("run the schedules of an application without a queue, except those of jobs", async () => {
    const code = `
      import { Application, text } from "espalier";
      const logged = [];
      const error = (message, fields) => { logged.push(JSON.stringify([message, fields])); };
      const create = () => new Application({ logger: { debug() {}, info() {}, warn() {}, error } });
      const app = create();
      const runs = [];
      app.schedule("0 3 * * *", ({ cron }) => { runs.push(cron); });
      const trigger = { cron: "0 3 * * *", scheduledTime: 0 };
      await app.worker().scheduled(trigger, {}, { waitUntil() {} });
      const withJob = create();
      withJob.schedule("0 3 * * *", "reports.nightly");
      withJob.getRouter().get("/", () => text("Hello, world!"));
      export default {
        runs,
        jobs: app.inspect().jobs,
        withJob: (await withJob.request("/")).status,
        logged,
      };
    `;
    expect(await evaluated(code, ["espalier-no-queue"])).toEqual({
      runs: ["0 3 * * *"],
      jobs: [],
      withJob: 500,
      logged: [expect.stringContaining("ERR_APPLICATION_OMITTED")],
    });
  });

  const refused = (part: string) => [
    "ERR_APPLICATION_OMITTED",
    expect.stringContaining(`"espalier-no-${part}"`),
  ];

  /** Returns the default export of a bundle with these conditions. */
  async function evaluated(code: string, added: readonly string[]): Promise<object> {
    const bundled = await bundle({ code }, "workerd", { conditions: ["import", ...added] });
    const folder = mkdtempSync(join(tmpdir(), "espalier-omitted-"));
    try {
      const file = join(folder, "facts.mjs");
      writeFileSync(file, bundled.code);
      const module = (await import(pathToFileURL(file).href)) as { readonly default: object };
      return module.default;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
});

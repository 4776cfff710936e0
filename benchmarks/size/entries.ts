/** A worker whose bundle is measured; responds to `GET /` with "Hello, world!". */
export interface SizeEntry {
  readonly name: string;
  /** Table of the result. */
  readonly group: "core" | "whole" | "peer";
  readonly code: string;
  /** Conditions of the bundler beside those of Workers. */
  readonly conditions?: readonly string[];
}

/** The part of `espalier/core` that a feature needs is its fourth element. */
const features: readonly (readonly [
  name: string,
  imports: string,
  statements: string,
  part?: string,
])[] = [
  ["CORS", "CorsMiddleware", "app.use(new CorsMiddleware());"],
  [
    "rate limits",
    "RateLimitMiddleware",
    "app.use(new RateLimitMiddleware({ limit: 1000 }));",
    "clientAddress",
  ],
  ["secure headers", "SecureHeadersMiddleware", "app.use(new SecureHeadersMiddleware());"],
  ["CSRF", "CsrfMiddleware", "app.use(new CsrfMiddleware());"],
  ["timeouts", "TimeoutMiddleware", "app.use(new TimeoutMiddleware({ ms: 10_000 }));"],
  ["ETags", "ETagMiddleware", "app.use(new ETagMiddleware());"],
  ["compression", "CompressionMiddleware", "app.use(new CompressionMiddleware());"],
  [
    "sessions",
    "SessionMiddleware",
    'app.use(new SessionMiddleware({ secret: "a-secret-of-the-benchmark-with-32-bytes" }));',
    "cookies",
  ],
];

/** Statements of an application that uses all services. */
const services = `
  app.useInMemoryQueue();
  app.getQueue().process("mail.send", async () => {});
  app.schedule("0 3 * * *", async () => { await app.cacheDelete("shelf"); });
  app.configure("shop", { name: { type: "string" } });
  app.on("order.placed", () => {});
  app.definePolicy("read", () => true);
  app.getRouter().get("/orders", () => json([]), { middleware: ["auth", "can:read"] });
  app.addHealthCheck("shop", () => true);
  app.enableHealthEndpoints();
  app.exposeOpenApi("/openapi.json");
  app.useRequestObservability();
`;
const authentication = `
  const auth = new Auth({ secret: "a-secret-of-the-benchmark-with-32-bytes" });
  app.middleware("auth", createAuthMiddleware(auth));
  app.getRouter().get("/me", (ctx) => json(ctx.user), { middleware: ["auth"] });
`;
const controller = `
  class Greet extends Controller.for({ query: { name: { type: "string", max: 80 } } }) {
    handle() { return this.json({ hello: this.query.name ?? "world" }); }
  }
  app.getRouter().get("/greet", Greet);
`;

function core(name: string, imports: string, statements: string, options = ""): SizeEntry {
  // A bundler keeps parts of what an unused import could load later.
  const used = ["clientAddress", "Controller", "cookies", "json", "ruleValidator"].filter((part) =>
    new RegExp(`\\b${part}\\b`).test(statements + options),
  );
  const code = `
    import { ${["Application", ...used, "text"].join(", ")} } from "espalier/core";
    ${imports}
    const app = new Application(${options});
    ${statements}
    app.getRouter().get("/", () => text("Hello, world!"));
    export default app.worker();
  `;
  return { name, group: "core", code };
}

function whole(name: string, imports: string, statements: string): SizeEntry {
  const code = `
    import { Application, json, text${imports} } from "espalier";
    const app = new Application();
    ${statements}
    app.getRouter().get("/", () => text("Hello, world!"));
    export default app.worker();
  `;
  return { name, group: "whole", code };
}

/** The bundle with all middleware, all services, tokens and validation. */
export const everythingName = "espalier, everything";
export const coreHelloName = "espalier/core, hello";

const coreHello = core(coreHelloName, "", "");
const hello = whole("espalier, hello", "", "");
const everything = whole(
  everythingName,
  `, Auth, Controller, createAuthMiddleware, ${features.map(([, imports]) => imports).join(", ")}`,
  [...features.map(([, , statements]) => statements), authentication, controller, services].join(
    "\n",
  ),
);

/** Parts that a hello does not use. */
const unused = [
  "openapi",
  "queue",
  "cache",
  "validation",
  "multipart",
  "metrics",
  "observability",
  "cookies",
  "urls",
  "trace",
  "client-address",
  "config",
  "plugins",
  "schedule",
  "broadcast",
];

/** The same entry, bundled with the condition `production` and without some parts. */
function production(entry: SizeEntry, omitted: readonly string[] = []): SizeEntry {
  const without = omitted.length === 0 ? "" : ", without unused parts";
  return {
    ...entry,
    name: `${entry.name}, production${without}`,
    conditions: ["production", ...omitted.map((part) => `espalier-no-${part}`)],
  };
}

export const entries: readonly SizeEntry[] = [
  coreHello,
  production(coreHello),
  core("espalier/core + validation", "", controller, "{ validation: ruleValidator }"),
  ...features.map(([name, imports, statements, part]) =>
    core(
      `espalier/core + ${name}`,
      `import { ${imports} } from "espalier/middleware";`,
      statements,
      part && `{ ${part} }`,
    ),
  ),
  core(
    "espalier/core + tokens",
    'import { Auth, createAuthMiddleware } from "espalier";',
    authentication,
  ),
  hello,
  production(hello),
  production(hello, unused),
  whole("espalier + tokens", ", Auth, createAuthMiddleware", authentication),
  everything,
  production(everything),
  {
    name: "Hono, hello",
    group: "peer",
    code: `
      import { Hono } from "hono";
      const app = new Hono();
      app.get("/", (c) => c.text("Hello, world!"));
      export default app;
    `,
  },
  {
    name: "Hono (tiny), hello",
    group: "peer",
    code: `
      import { Hono } from "hono/tiny";
      const app = new Hono();
      app.get("/", (c) => c.text("Hello, world!"));
      export default app;
    `,
  },
  {
    name: "h3, hello",
    group: "peer",
    code: `
      import { H3 } from "h3";
      const app = new H3();
      app.get("/", () => "Hello, world!");
      export default { fetch: (request) => app.fetch(request) };
    `,
  },
  {
    name: "itty-router, hello",
    group: "peer",
    code: `
      import { AutoRouter } from "itty-router";
      const router = AutoRouter();
      router.get("/", () => new Response("Hello, world!"));
      export default { fetch: router.fetch };
    `,
  },
  {
    name: "Elysia, hello",
    group: "peer",
    code: `
      import { Elysia } from "elysia";
      import { CloudflareAdapter } from "elysia/adapter/cloudflare-worker";
      const app = new Elysia({ adapter: CloudflareAdapter });
      app.get("/", () => "Hello, world!");
      export default app.compile();
    `,
  },
];

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  Application,
  Auth,
  Controller,
  type ErrorCode,
  EspalierError,
  HttpError,
  hashPassword,
  json,
  MemoryCacheStore,
  proxy,
  RateLimitMiddleware,
  redirect,
  SessionMiddleware,
  session,
  sse,
  stream,
  text,
} from "espalier";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { root } from "./support/bundle.ts";
import { createRecordingLogger } from "./support/recording-logger.ts";

interface Entry {
  readonly code: string;
  readonly happened: string;
  /** The message shown as an example, without its indentation. */
  readonly example: string;
  readonly fix: string;
}

const page = readFileSync(join(root, "docs/reference/errors.md"), "utf8");

const entries: readonly Entry[] = page
  .split(/^### /m)
  .slice(1)
  .map((section) => {
    const [, code = "", happened = "", example = "", fix = ""] =
      /^(\S+)\n\n([\s\S]*?)\n\n```text\n([\s\S]*?)\n```\n\n\*\*Fix\.\*\* ([\s\S]*?)\n(?:\n|$)/.exec(
        section,
      ) ?? [];
    return { code, happened, example, fix };
  });

const sourceFolder = join(root, "src");
const sources = readdirSync(sourceFolder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name, text: readFileSync(join(sourceFolder, name), "utf8") }));

const union = sources.find(({ name }) => name === "errors.ts")?.text ?? "";
const codes = [...union.matchAll(/^ {2}\| "(ERR_[A-Z_]+)"/gm)].map(([, code]) => code ?? "");

test("the page has one entry for each code, in the order of the alphabet, and no other", () => {
  expect(codes.length).toBeGreaterThan(40);
  expect(entries.map(({ code }) => code)).toEqual(codes.toSorted());
});

test.each(codes)("%s has what happened, an example and a fix", (code) => {
  const entry = entries.find((candidate) => candidate.code === code);
  expect(entry?.happened).toMatch(/\.$/);
  expect(entry?.example).toMatch(/./);
  expect(entry?.fix).toMatch(/\.$/);
});

test.each(codes)("%s is raised by the source", (code) => {
  const raising = sources.filter(
    ({ name, text: source }) => name !== "errors.ts" && source.includes(`"${code}"`),
  );
  expect(raising.map(({ name }) => name)).not.toEqual([]);
});

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function formOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return escaped(node.text);
  if (ts.isBinaryExpression(node)) return formOf(node.left) + formOf(node.right);
  if (!ts.isTemplateExpression(node)) return ".*";
  const spans = node.templateSpans.map(({ literal }) => `.*${escaped(literal.text)}`);
  return escaped(node.head.text) + spans.join("");
}

/** A call whose first argument is an error's code and whose second is its message. */
interface ErrorCall {
  readonly code: ts.Expression;
  readonly message: RegExp;
}

const errorCalls: readonly ErrorCall[] = sources.flatMap(({ name, text: source }) => {
  const calls: ErrorCall[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const [code, message] = node.arguments ?? [];
      if (code !== undefined && message !== undefined && isCode(code)) {
        calls.push({ code, message: new RegExp(`^${formOf(message)}$`, "s") });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, source, ts.ScriptTarget.ES2022));
  return calls;
});

function isCode(node: ts.Expression): boolean {
  return ts.isStringLiteral(node) ? node.text.startsWith("ERR_") : isOwnersCode(node);
}

/** Errors about options are built in one place for every code, `src/util/options.ts`. */
function isOwnersCode(node: ts.Expression): boolean {
  return ts.isPropertyAccessExpression(node) && node.name.text === "code";
}

/**
 * Returns the patterns of an error's message. Interpolated values match any string, and so does a message
 * that is built elsewhere.
 */
function formsOf(code: string): RegExp[] {
  const isOptionOwner = sources.some(({ text: source }) => source.includes(`code: "${code}"`));
  return errorCalls
    .filter((call) => (ts.isStringLiteral(call.code) ? call.code.text === code : isOptionOwner))
    .map(({ message }) => message);
}

test.each(codes)("%s is shown in the words of the source", (code) => {
  const example = entries.find((entry) => entry.code === code)?.example ?? "";
  const forms = formsOf(code);
  // A wrapped message may follow the name of its route.
  const fits = forms.some((form) => form.test(example) || form.test(example.replace(/^.*?: /, "")));
  expect([example, forms, fits]).toEqual([example, forms, true]);
});

const secret = "a secret of thirty-two bytes or more";
const createApp = (): Application => new Application({ logger: createRecordingLogger() });
class Empty extends Controller {
  async handle(): Promise<Response> {
    return this.text("x");
  }
}

/** Returns the log of a failed request. */
async function logged(prepare: (app: Application) => void): Promise<never> {
  const logger = createRecordingLogger();
  const app = new Application({ logger });
  prepare(app);
  await app.request("/");
  const [line] = logger.lines as unknown as { error: { code: ErrorCode; message: string } }[];
  throw new EspalierError(line?.error.code as ErrorCode, line?.error.message ?? "");
}

/** The first problem of a boot that fails. */
async function bootProblem(prepare: (app: Application) => void): Promise<never> {
  const app = createApp();
  prepare(app);
  const error = (await app.boot().catch((failure: unknown) => failure)) as { errors: Error[] };
  throw error.errors[0] ?? new Error("The boot did not fail.");
}

/** How an application comes by each error: the page shows the very message that this gives. */
const raise: Partial<Record<ErrorCode, () => unknown>> = {
  ERR_APPLICATION_BAD_WORK: () =>
    logged((app) => {
      app.getRouter().get("/", (ctx) => {
        ctx.waitUntil((async () => undefined) as never);
        return new Response();
      });
    }),
  ERR_APPLICATION_BOOT() {
    const app = createApp();
    app.getRouter().get("/books", Empty, { middleware: ["auth"] });
    return app.boot();
  },
  ERR_AUTH_BAD_ALGORITHM() {
    new Auth({ secret, algorithms: ["none"] });
  },
  ERR_AUTH_BAD_OPTION() {
    new Auth({ secret, expiresIn: "soon" });
  },
  ERR_AUTH_BAD_PASSWORD: () => hashPassword(""),
  ERR_AUTH_BAD_POLICY() {
    createApp().definePolicy("edit", {} as never);
  },
  ERR_AUTH_BAD_SECRET() {
    new Auth({ secret: "" });
  },
  ERR_AUTH_BAD_USER: () => new Auth({ secret }).generateToken({ name: "Ada" } as never),
  ERR_AUTH_NO_REFRESH_TOKENS: () => new Auth({ secret }).refresh("x"),
  ERR_AUTH_NO_REVOCATIONS: () => new Auth({ secret }).revoke("x"),
  ERR_AUTH_UNKNOWN_POLICY: () =>
    bootProblem((app) => {
      app.definePolicy("edit", () => true);
      app.getRouter().get("/books", Empty, { middleware: ["can:edti"] });
    }),
  ERR_AUTH_UNSAFE_STORE() {
    new Auth({ secret, revocations: new MemoryCacheStore() });
  },
  ERR_CACHE_BAD_KEY: () => createApp().cacheGet({} as never),
  ERR_CACHE_BAD_STORE() {
    createApp().useCacheStore({} as never);
  },
  ERR_CACHE_BAD_TTL: () => createApp().cacheSet("count", 1, Number.NaN),
  ERR_CACHE_NOT_JSON: () => createApp().cacheSet("counts", { byPage: new Map() }),
  ERR_CONFIG_BAD_SECTION() {
    createApp().configure("app", { schema: { port: { typ: "number" } as object } });
  },
  ERR_CONFIG_INVALID() {
    createApp()
      .configure("server", { port: { type: "number", max: 65535 } }, { source: { port: 70_000 } })
      .getConfig("server");
  },
  ERR_CONFIG_UNKNOWN_SECTION() {
    createApp().configure("database", { schema: {} }).getConfig("databse");
  },
  ERR_CONTAINER_BAD_FACTORY() {
    createApp().singleton("clock", Empty as never);
  },
  ERR_CONTAINER_CYCLE() {
    const app = createApp();
    app.singleton("users", (container) => container.resolve("mail"));
    app.singleton("mail", (container) => container.resolve("users"));
    app.resolve("users");
  },
  ERR_CONTAINER_NOT_REGISTERED() {
    createApp().instance("users", 1).resolve("usres");
  },
  ERR_CONTAINER_OUTSIDE_SCOPE() {
    createApp()
      .scoped("transaction", () => ({}))
      .resolve("transaction");
  },
  ERR_EVENTS_BAD_HANDLER() {
    createApp().on("user.created", "welcome" as never);
  },
  ERR_EVENTS_BAD_NAME() {
    createApp().on("user.*.sent", () => {});
  },
  ERR_HEALTH_BAD_CHECK() {
    const check = () => true;
    createApp().addHealthCheck("database", check).addHealthCheck("database", check);
  },
  ERR_HTTP_BAD_CONTENT_TYPE() {
    stream(new ReadableStream(), { type: "csv" });
  },
  ERR_HTTP_BAD_COOKIE: () =>
    logged((app) => {
      app.getRouter().get("/", (ctx) => {
        ctx.cookies.set("sid", "1; Domain=example.com");
        return text("x");
      });
    }),
  async ERR_HTTP_BAD_EVENT() {
    await sse([{ event: "two\nlines", data: 1 }]).text();
  },
  ERR_HTTP_BAD_LOCATION() {
    redirect("//example.com");
  },
  async ERR_HTTP_BAD_PROXY() {
    await proxy({} as never, "/books");
  },
  ERR_HTTP_BAD_STATUS() {
    throw new HttpError(200);
  },
  ERR_HTTP_BAD_TRUST_PROXY() {
    new Application({ trustProxy: "everyone" as never });
  },
  ERR_HTTP_NOT_SERIALIZABLE() {
    json({ count: 1n });
  },
  ERR_MIDDLEWARE_BAD_OPTION() {
    new RateLimitMiddleware({ limit: 0 });
  },
  ERR_MIDDLEWARE_MISSING: () =>
    logged((app) => {
      app.getRouter().get("/", (ctx) => json(session(ctx).get("visits")));
    }),
  ERR_OBSERVABILITY_BAD_OPTION() {
    createApp().useRequestObservability({ logLevel: "verbose" as never });
  },
  ERR_OPENAPI_BAD_OPTION() {
    createApp().exposeOpenApi("openapi.json");
  },
  ERR_PIPELINE_BAD_MIDDLEWARE() {
    createApp().middleware("audit", "yes" as never);
  },
  ERR_PIPELINE_NEXT_TWICE: () =>
    logged((app) => {
      app.middleware("retry", async (_ctx, next) => {
        await next();
        return next();
      });
      app.getRouter().get("/", Empty, { middleware: ["retry"] });
    }),
  ERR_PIPELINE_NOT_A_RESPONSE: () =>
    logged((app) => {
      app.getRouter().get("/", () => ({ title: "Trellis" }) as never);
    }),
  ERR_PIPELINE_UNKNOWN_MIDDLEWARE: () =>
    bootProblem((app) => {
      app.middleware("auth", (_ctx, next) => next());
      app.getRouter().get("/books", Empty, { middleware: ["atuh"] });
    }),
  ERR_PLUGIN_BAD_SHAPE() {
    createApp().registerPlugin({} as never);
  },
  ERR_PLUGIN_DEPENDENCY() {
    return createApp()
      .registerPlugin({ name: "search", dependsOn: ["database"] })
      .boot();
  },
  ERR_PLUGIN_DUPLICATE() {
    const search = { name: "search", boot() {} };
    createApp().registerPlugin(search).registerPlugin(search);
  },
  ERR_PLUGIN_HOOK_FAILED() {
    const boot = () => {
      throw new Error("the index is locked");
    };
    return createApp().registerPlugin({ name: "search", boot }).boot();
  },
  async ERR_PLUGIN_TOO_LATE() {
    const app = createApp();
    await app.request("/");
    app.registerPlugin({ name: "search", boot() {} });
  },
  ERR_QUEUE_HANDLER_EXISTS() {
    const queue = createApp().getQueue();
    for (let times = 0; times < 2; times++) queue.process("mail.send", () => {});
  },
  ERR_QUEUE_PAYLOAD_NOT_JSON: () => createApp().getQueue().enqueue("mail.send", 1n),
  ERR_ROUTE_BAD_HANDLER() {
    createApp()
      .getRouter()
      .get("/books", {} as never);
  },
  ERR_ROUTE_BAD_METHOD() {
    createApp().getRouter().match(["get"], "/books", Empty);
  },
  ERR_ROUTE_BAD_OPTION() {
    createApp()
      .getRouter()
      .get("/books", Empty, { middlewares: ["auth"] } as never);
  },
  ERR_ROUTE_BAD_PARAMETER() {
    createApp()
      .getRouter()
      .get("/files/*path", Empty, { name: "file" })
      .url("file", { path: "../x" });
  },
  ERR_ROUTE_DUPLICATE() {
    createApp().getRouter().get("/books/:id", Empty).get("/books/:isbn", Empty);
  },
  ERR_ROUTE_MISSING_PARAMETER() {
    createApp().getRouter().get("/books/:id", Empty, { name: "book" }).url("book");
  },
  ERR_ROUTE_NAME_DUPLICATE() {
    createApp().getRouter().get("/a", Empty, { name: "home" }).get("/b", Empty, { name: "home" });
  },
  ERR_ROUTE_PATTERN() {
    createApp().getRouter().get("/books/*/pages", Empty);
  },
  ERR_ROUTE_UNKNOWN_NAME() {
    createApp().getRouter().get("/books/:id", Empty, { name: "books.show" }).url("books.shwo");
  },
  ERR_SCHEDULE_BAD_CRON() {
    createApp().schedule("every day", () => {});
  },
  ERR_SCHEDULE_BAD_HANDLER() {
    createApp().schedule("*/5 * * * *", undefined as never);
  },
  ERR_SESSION_ALREADY_SAVED: () =>
    logged((app) => {
      app.use(async (ctx, next) => {
        const response = await next();
        session(ctx).set("visits", 1);
        return response;
      });
      app.use(new SessionMiddleware({ secret }));
    }),
  ERR_SESSION_NOT_JSON: () =>
    logged((app) => {
      app.use(new SessionMiddleware({ secret }));
      app.getRouter().get("/", (ctx) => {
        session(ctx).set("count", 1n);
        return text("x");
      });
    }),
  ERR_VALIDATION_BAD_RULE: () =>
    bootProblem((app) => {
      app.getRouter().post("/", () => text("x"), { validation: { age: { min: 5, max: 1 } } });
    }),
};

describe("the examples are the actual messages", () => {
  test.each(Object.entries(raise))("%s", async (code, run) => {
    let error: unknown;
    try {
      await run();
    } catch (failure) {
      error = failure;
    }
    expect(error).toMatchObject({ code });
    const example = entries.find((entry) => entry.code === code)?.example;
    expect((error as Error).message).toBe(example);
  });
});

import { afterEach, describe, expect, test, vi } from "vitest";
import { Application, json, MemoryRateLimitStore, RateLimitMiddleware } from "../../src/index.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const shared = { consume: () => ({ allowed: true, remaining: 1, resetMs: 1 }) };

async function warningsOf(
  environment: string,
  setUp: (app: Application) => void,
  options: { debug?: boolean } = {},
): Promise<string[]> {
  vi.stubEnv("NODE_ENV", environment);
  const logger = createRecordingLogger();
  const app = new Application({ logger, ...options });
  setUp(app);
  await app.boot();
  return logger.lines
    .filter(({ level }) => level === "warn")
    .map((line) => String(line["message"]));
}

describe("boot in production", () => {
  const withLimits = (app: Application): void => {
    app.use(new RateLimitMiddleware());
    const login = new RateLimitMiddleware({ name: "login", store: new MemoryRateLimitStore() });
    app.middleware("login-limit", login);
    app.middleware("unused", new RateLimitMiddleware({ name: "unused" }));
    app.middleware("shared", new RateLimitMiddleware({ name: "shared", store: shared }));
    const router = app.getRouter();
    router.post("/login", () => json({}), { middleware: ["login-limit"] });
    router.post("/tokens", () => json({}), { middleware: ["login-limit", "shared"] });
  };

  test("warns once about all rate limits in memory that are in use", async () => {
    const [warning, ...others] = await warningsOf("production", withLimits);
    expect(others).toEqual([]);
    expect(warning).toBe(
      'In memory in production: the rate limit "default", the rate limit "login". Several instances count ' +
        'separately, and a restart begins anew. Set the option "store" to a store that they share, unless ' +
        "there is one instance.",
    );
  });

  test("does not warn about a shared store, nor in development", async () => {
    const withShared = (app: Application) => app.use(new RateLimitMiddleware({ store: shared }));
    expect(await warningsOf("production", withShared)).toEqual([]);
    expect(await warningsOf("development", withLimits)).toEqual([]);
  });

  test("warns that debug is ignored", async () => {
    expect(await warningsOf("production", () => {}, { debug: true })).toEqual([
      'The option "debug" is ignored, because NODE_ENV is "production": responses must not contain the ' +
        "cause of errors. Remove it; the log contains the cause.",
    ]);
    expect(await warningsOf("development", () => {}, { debug: true })).toEqual([]);
  });
});

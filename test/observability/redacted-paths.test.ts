import * as api from "@opentelemetry/api";
import {
  Application,
  Auth,
  createAuthMiddleware,
  HttpError,
  RateLimitMiddleware,
  stream,
  text,
} from "espalier";
import { afterEach, describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { installTelemetry } from "./support/recording-telemetry.ts";

/** An application that records its events, with routes that have a secret in their path. */
function createApplication() {
  const logger = createRecordingLogger();
  const app = new Application({ logger });
  const events: { readonly name: string; readonly path: unknown; readonly text: string }[] = [];
  app.on("*", (payload, { name }) => {
    const { path } = payload as { readonly path?: unknown };
    if (path !== undefined) events.push({ name, path, text: JSON.stringify(payload) });
  });
  app.middleware("auth", createAuthMiddleware(new Auth({ secret: "x".repeat(32) })));
  app.middleware("limit", new RateLimitMiddleware({ limit: 1, key: () => "all" }));
  const router = app.getRouter();
  router.get("/reset/:token", () => text("ok"), { middleware: ["limit"] });
  router.get("/broken/:token", () => {
    throw new Error("out of paper");
  });
  router.get("/failing/:token", () =>
    stream(
      (async function* () {
        yield "begun";
        throw new Error("out of paper");
      })(),
    ),
  );
  router.get("/gone/:token", () => {
    throw new HttpError(410);
  });
  router.get("/guarded/:token", () => text("ok"), { middleware: ["auth"] });
  router.get("/join/:invite", () => text("ok"));
  router.get("/members/:email", () => text("ok"));
  router.get("/books/:id", () => text("ok"));
  return { app, logger, events };
}

const paths = [
  "/reset/CANARY?token=CANARY",
  "/reset/CANARY",
  "/broken/CANARY",
  "/failing/CANARY",
  "/gone/CANARY",
  "/guarded/CANARY",
  "/join/CANARY",
  "/nowhere/token=CANARY",
];

async function requestAll(app: Application, wanted: readonly string[]): Promise<void> {
  for (const path of wanted) {
    const response = await app.request(path);
    await response.text().catch(() => {});
  }
}

let telemetry: ReturnType<typeof installTelemetry> | undefined;
afterEach(() => telemetry?.remove());

describe("with request observability, a secret in a path is in", () => {
  test("no log record, no event and no span", async () => {
    telemetry = installTelemetry();
    const { app, logger, events } = createApplication();
    app.useRequestObservability({ openTelemetry: api, redact: ["invite"] });
    await requestAll(app, paths);
    await expect
      .poll(() => new Set(events.map(({ name }) => name)))
      .toEqual(new Set(["rate.limited", "request.completed", "request.failed", "auth.failed"]));
    const failed = events.filter(({ name }) => name === "request.failed");
    expect(failed.map(({ path }) => path)).toEqual(["/broken/:token", "/failing/:token"]);
    const all = [
      ...events.map(({ text: payload }) => payload),
      ...logger.lines.map((line) => JSON.stringify(line)),
      ...telemetry.spans.map(({ attributes }) => JSON.stringify(attributes)),
    ];
    expect(telemetry.spans).toHaveLength(paths.length);
    expect(all.filter((shown) => shown.includes("CANARY"))).toEqual([]);
  });

  test("and all of them show the same path", async () => {
    telemetry = installTelemetry();
    const { app, logger, events } = createApplication();
    app.useRequestObservability({ openTelemetry: api, unredacted: ["email"] });
    await requestAll(app, [
      "/books/7?page=2",
      "/members/ada@example.org",
      "/reset/CANARY",
      "/none",
    ]);
    const shown = ["/books/7", "/members/ada@example.org", "/reset/:token", "/none"];
    expect(events.map(({ path }) => path)).toEqual(shown);
    expect(telemetry.spans.map(({ attributes }) => attributes["url.path"])).toEqual(shown);
    expect(logger.lines.map(({ path }) => path)).toEqual(shown);
  });

  test("even if no records are written", async () => {
    const { app, events } = createApplication();
    app.useRequestObservability({ openTelemetry: false, logLevel: "silent" });
    await requestAll(app, ["/broken/CANARY"]);
    expect(new Set(events.map(({ path }) => path))).toEqual(new Set(["/broken/:token"]));
  });
});

test("without it, events have the path as it was sent", async () => {
  const { app, events } = createApplication();
  await requestAll(app, ["/books/7?page=2"]);
  expect(events.map(({ path }) => path)).toEqual(["/books/7"]);
});

test("the log record of an error has the pattern of its route, also without observability", async () => {
  const { app, logger } = createApplication();
  await requestAll(app, ["/broken/CANARY?token=CANARY"]);
  expect(logger.lines).toMatchObject([{ level: "error", route: "GET /broken/:token" }]);
  expect(JSON.stringify(logger.lines)).not.toContain("CANARY");
});

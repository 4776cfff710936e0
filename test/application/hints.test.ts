import { Application, type ConfigSectionRules, type InferConfigSection } from "espalier";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

function createApp() {
  const logger = createRecordingLogger();
  return { app: new Application({ logger }), logger };
}

const context = { waitUntil: () => {}, passThroughOnException: () => {} };

describe("properties of a request", () => {
  it.each(["env", "context"])(
    "and a singleton asks for, %s, is said to be outside of one",
    (name) => {
      const { app } = createApp();
      app.singleton("database", (services) => services.resolve(name));
      expect(() => app.resolve("database")).toThrow(
        expect.objectContaining({
          code: "ERR_CONTAINER_OUTSIDE_SCOPE",
          message: expect.stringContaining(`Service "${name}" is created once per request`),
        }),
      );
    },
  );

  it("may still be registered under these names", () => {
    const { app } = createApp();
    app.instance("env", { STAGE: "test" });
    expect(app.resolve("env")).toEqual({ STAGE: "test" });
  });
});

describe("cacheRemember", () => {
  it("reports the order of the arguments if the time comes before the producer", async () => {
    const { app } = createApp();
    const wrong = app.cacheRemember("books", 60 as never, (() => []) as never);
    await expect(wrong).rejects.toThrow(
      'The producer of "books" must be a function, got a number. The order is: key, producer, ttlMs.',
    );
  });
});

describe("a cron trigger without a schedule", () => {
  it("logs one warning per expression, with the nearest schedule", async () => {
    const { app, logger } = createApp();
    let runs = 0;
    app.schedule("0 3 * * *", () => {
      runs += 1;
    });
    const { scheduled } = app.worker();
    await scheduled({ cron: "0 3 * * *", scheduledTime: 0 }, {}, context);
    await scheduled({ cron: "0 4 * * *", scheduledTime: 0 }, {}, context);
    await scheduled({ cron: "0 4 * * *", scheduledTime: 1 }, {}, context);
    expect(runs).toBe(1);
    expect(logger.lines).toEqual([
      {
        level: "warn",
        message: 'The cron trigger "0 4 * * *" matches no schedule. ' + 'Did you mean "0 3 * * *"?',
      },
    ]);
  });

  it("is allowed for the jobs of a queue", async () => {
    const { app, logger } = createApp();
    app.useInMemoryQueue();
    app.getQueue().process("mail", () => {});
    await app.worker().scheduled({ cron: "* * * * *", scheduledTime: 0 }, {}, context);
    await app.stop();
    expect(logger.lines).toEqual([]);
  });
});

it("the type of a section can be inferred from its rules", () => {
  const rules = {
    port: { type: "number", required: true },
    host: { type: "string" },
  } satisfies ConfigSectionRules;
  expectTypeOf<InferConfigSection<typeof rules>["port"]>().toEqualTypeOf<number>();
  expectTypeOf<InferConfigSection<typeof rules>["host"]>().toEqualTypeOf<string | undefined>();
});

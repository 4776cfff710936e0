import { Application, json } from "espalier";
import { expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

test.each([1, "yes", undefined, {}])(
  "a policy that returns %j denies access, and is warned about once",
  async (result) => {
    const logger = createRecordingLogger();
    const app = new Application({ logger });
    app.use((ctx, next) => {
      ctx.user = { id: 7 };
      return next();
    });
    app.definePolicy("edit", () => result as never);
    app.getRouter().get("/", () => json(1), { middleware: ["can:edit"] });
    for (let time = 0; time < 3; time += 1) expect((await app.request("/")).status).toBe(403);
    expect(logger.lines).toEqual([
      { level: "warn", message: expect.stringMatching(/^The policy "edit" must return a boolean/) },
    ]);
  },
);

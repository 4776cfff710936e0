import { describe, expect, test } from "vitest";
import { Application } from "../../../src/application/application.ts";
import { readFetchArguments } from "../../../src/application/request/platform-arguments.ts";
import { json } from "../../../src/http/responses.ts";
import { createRecordingLogger } from "../../support/recording-logger.ts";

const request = new Request("http://localhost/word");

describe("platform arguments of a fetch handler", () => {
  test("of a route handler of Next.js is not the environment", async () => {
    process.env["INVOCATION_WORD"] = "Ahoy";
    try {
      const app = new Application({ logger: createRecordingLogger() });
      app.getRouter().get("/word", ({ env }) => json([env["INVOCATION_WORD"], "params" in env]));
      const GET: (request: Request, second?: unknown) => Promise<Response> = app.fetch;
      const params = Promise.resolve({ path: ["word"] });
      expect(await (await GET(request, { params })).json()).toEqual(["Ahoy", false]);
    } finally {
      delete process.env["INVOCATION_WORD"];
    }
  });

  test.each([
    [{ params: "a binding of this name" }],
    [{ params: ["a list"] }],
    [{ params: Promise.resolve(), DATABASE: "x" }],
    [{}],
  ])("is the environment otherwise, case %#", (env) => {
    expect(readFetchArguments(request, env, undefined).env).toBe(env);
  });
});

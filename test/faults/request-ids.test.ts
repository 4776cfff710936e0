import { Application, text } from "espalier";
import { describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

async function idFor(given: string): Promise<string | null> {
  const app = new Application({ logger: createRecordingLogger() });
  app.useRequestObservability();
  app.getRouter().get("/", () => text("ok"));
  const response = await app.request("/", { headers: { "x-request-id": given } });
  return response.headers.get("x-request-id");
}

describe("the request id of a client", () => {
  test.each([
    ["of a load balancer", "Root=1-65f0c1a2-0c5f2f2d4b8e4f1aa2f6d9c1"],
    ["in base64", "d2hhdCBhbiBpZA=="],
    ["with a colon and a slash", "edge:7/fra"],
  ])("is kept: %s", async (_what, id) => {
    expect(await idFor(id)).toBe(id);
  });

  test.each(["a b", 'a"b', "a,b", "a;b", "{a}", "a\\nb", "x".repeat(129)])(
    "is replaced if it could break a log: %j",
    async (id) => {
      expect(await idFor(id)).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
    },
  );
});

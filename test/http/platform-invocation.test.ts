import { Application, json } from "espalier";
import { describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

/** Returns what a handler sees if `app.fetch` is called with these arguments. */
async function seen(...given: readonly unknown[]): Promise<unknown> {
  const app = new Application({ logger: createRecordingLogger() });
  const kept: unknown[] = [];
  app.getRouter().get("/", (ctx) => {
    ctx.waitUntil(Promise.resolve("work"));
    return json({ ip: ctx.ip ?? null, bound: (ctx.env as { BOUND?: string }).BOUND ?? null });
  });
  const [second, third] = given;
  const fetch: (...all: unknown[]) => Promise<Response> = app.fetch as never;
  const executionContext =
    third === "an execution context" ? { waitUntil: (p: unknown) => kept.push(p) } : third;
  const response = await fetch(new Request("http://localhost/"), second, executionContext);
  return { ...(await response.json()), kept: kept.length > 0 };
}

const nothing = { ip: null, bound: null, kept: false };

describe("app.fetch as the handler of", () => {
  test("Workers receives bindings and the execution context", async () => {
    expect(await seen({ BOUND: "yes" }, "an execution context")).toEqual({
      ip: null,
      bound: "yes",
      kept: true,
    });
    expect(await seen({ BOUND: "yes" }, { waitUntil: "no function" })).toEqual({
      ...nothing,
      bound: "yes",
    });
  });

  test("Deno.serve receives the address of the connection", async () => {
    const completed = Promise.resolve();
    expect(await seen({ remoteAddr: { hostname: "192.0.2.1", port: 1 }, completed })).toEqual({
      ...nothing,
      ip: "192.0.2.1",
    });
    // A Unix socket has none.
    expect(await seen({ remoteAddr: { path: "/x" }, completed })).toEqual(nothing);
    // Bindings of these names are bindings.
    expect(await seen({ remoteAddr: "a variable", completed, BOUND: "b" })).toMatchObject({
      bound: "b",
    });
    expect(await seen({ remoteAddr: {}, BOUND: "b" })).toMatchObject({ bound: "b" });
  });

  test("Bun.serve reads it from the server", async () => {
    expect(await seen({ requestIP: () => ({ address: "::ffff:192.0.2.2" }) })).toEqual({
      ...nothing,
      ip: "192.0.2.2",
    });
    expect(await seen({ requestIP: () => null })).toEqual(nothing);
    expect(await seen({ requestIP: "a variable", BOUND: "b" })).toMatchObject({ bound: "b" });
  });

  test("other platforms receives the arguments unchanged", async () => {
    for (const second of [undefined, null, 0, "text"]) expect(await seen(second)).toEqual(nothing);
  });
});

import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startWorkerd } from "./support/workerd.ts";

/** Globals that a Worker must not use while its modules are evaluated: timers, randomness, I/O, responses. */
function forbidGlobals(touched: string[]): () => void {
  const restores: (() => void)[] = [];
  const forbid = (owner: object, name: string): void => {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    if (descriptor === undefined) throw new Error(`There is no ${name} to forbid.`);
    const refuse = new Proxy(Reflect.get(owner, name) as () => unknown, {
      apply() {
        touched.push(name);
        throw new Error(`${name} is not allowed at module scope.`);
      },
      construct() {
        touched.push(`new ${name}`);
        throw new Error(`new ${name} is not allowed at module scope.`);
      },
    });
    Object.defineProperty(owner, name, { configurable: true, writable: true, value: refuse });
    restores.push(() => Object.defineProperty(owner, name, descriptor));
  };
  for (const name of [
    "setTimeout",
    "setInterval",
    "setImmediate",
    "fetch",
    "Response",
    "AbortController",
  ]) {
    forbid(globalThis, name);
  }
  forbid(AbortSignal, "timeout");
  const cryptoPrototype = Object.getPrototypeOf(crypto) as object;
  forbid(cryptoPrototype, "randomUUID");
  forbid(cryptoPrototype, "getRandomValues");
  return () => {
    for (const restore of restores) restore();
  };
}

test("import, construction and registration touch none of them", async () => {
  vi.resetModules();
  const touched: string[] = [];
  const restore = forbidGlobals(touched);
  try {
    const { createEverything } = await import("./module-scope/application.ts");
    const app = createEverything();
    app.worker();
    expect(touched).toEqual([]);
    expect(app.getRouter().routes().length).toBeGreaterThan(5);
  } finally {
    restore();
  }
  expect(() => new AbortController()).not.toThrow();
});

test("what is forbidden throws and is noted, so that the test above can fail", () => {
  const touched: string[] = [];
  const restore = forbidGlobals(touched);
  try {
    const uses: (() => unknown)[] = [
      () => setTimeout(() => {}, 0),
      () => setInterval(() => {}, 1),
      () => setImmediate(() => {}),
      () => fetch("http://localhost/"),
      () => new Response("x"),
      () => new AbortController(),
      () => AbortSignal.timeout(1),
      () => crypto.randomUUID(),
      () => crypto.getRandomValues(new Uint8Array(1)),
    ];
    for (const use of uses) expect(use).toThrow("is not allowed at module scope");
    expect(touched).toEqual([
      "setTimeout",
      "setInterval",
      "setImmediate",
      "fetch",
      "new Response",
      "new AbortController",
      "timeout",
      "randomUUID",
      "getRandomValues",
    ]);
  } finally {
    restore();
  }
});

describe.each(["2024-01-01", "2026-11-01"])("workerd of %s", (compatibilityDate) => {
  let mf: Miniflare;
  let base = "";
  beforeAll(async () => {
    mf = await startWorkerd("test/module-scope/worker.ts", { compatibilityDate });
    base = (await mf.ready).href;
  });
  afterAll(() => mf.dispose());

  test("evaluates a worker that registers everything, and it answers", async () => {
    const response = await fetch(`${base}books/7`);
    expect([response.status, response.headers.get("x-global")]).toEqual([200, "1"]);
    expect(await response.json()).toEqual({ success: true, data: { id: "7" } });
  });
});

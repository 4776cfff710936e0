import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWorkerd } from "../../support/workerd.ts";

/** The option of the worker's applications. */
const bootTimeoutMs = 500;
const slackMs = 5_000;

describe.each(["2024-01-01", "2026-11-01"])("workerd of %s", (compatibilityDate) => {
  let mf: Miniflare;
  let base = "";
  const logs: string[] = [];
  beforeAll(async () => {
    mf = await startWorkerd("test/application/boot/support/boot-timeout-worker.ts", {
      compatibilityDate,
      onLog: (message) => void logs.push(message),
    });
    base = (await mf.ready).href;
  });
  afterAll(() => mf.dispose());

  test.each(["at-request", "at-evaluation"])(
    "a hook that hangs %s fails all requests that wait, and the next one starts again",
    async (name) => {
      const startedAt = performance.now();
      const responses = await Promise.all(Array.from({ length: 5 }, () => fetch(base + name)));
      const durationMs = performance.now() - startedAt;
      expect(responses.map(({ status }) => status)).toEqual([500, 500, 500, 500, 500]);
      expect(durationMs).toBeGreaterThan(bootTimeoutMs - 50);
      expect(durationMs).toBeLessThan(bootTimeoutMs + slackMs);
      const next = await fetch(base + name);
      expect([next.status, await next.text()]).toEqual([200, "calls: 2"]);
      expect(logs.join("\n")).toContain(`has not finished its boot hook`);
      expect(logs.join("\n")).toContain(`Plugin \\"${name}\\"`);
    },
  );

  test("boot works while the module is evaluated", async () => {
    const response = await fetch(`${base}booted`);
    expect([response.status, await response.text()]).toEqual([200, "booted"]);
  });
});

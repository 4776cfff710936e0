import { describe, expect, test } from "vitest";
import { noRedis, startRedis } from "../support/redis-server.ts";
import { startServerProcess } from "../support/server-process.ts";

describe.skipIf(noRedis !== undefined)(`Redis with Bun's client ${noRedis ?? ""}`, () => {
  test("broadcasts arrive once, also after the server was restarted", async () => {
    const server = await startRedis();
    const env = { REDIS_URL: server.url };
    const bun = await startServerProcess("test/redis/runtime/bun-broadcast.ts", "bun", env);
    const received = (): string[] =>
      [...bun.output().matchAll(/^received (\d+)$/gm)].map(([, count = ""]) => count);
    await expect.poll(() => received().length, { timeout: 10_000 }).toBeGreaterThan(3);
    await server.restart(500);
    const before = received().length;
    await expect.poll(() => received().length, { timeout: 20_000 }).toBeGreaterThan(before + 3);
    expect(new Set(received()).size).toBe(received().length);
    expect(bun.output()).not.toContain("unexpected");
    bun.child.kill("SIGKILL");
    await server.stop();
  }, 60_000);
});

import { expect, vi } from "vitest";
import type { BroadcastAdapter } from "../../src/broadcast/broadcast-adapter.ts";
import type { SilentProxy } from "./silent-proxy.ts";

/**
 * Expects that a subscription to `news` keeps a connection that replies, and replaces one on which the proxy falls silent.
 * Requires fake timers.
 *
 * @param other publishes over another connection
 * @param seen messages that the subscription has received
 */
export async function expectReplacement(
  proxy: SilentProxy,
  other: Pick<BroadcastAdapter, "publish">,
  seen: readonly string[],
): Promise<void> {
  await vi.advanceTimersByTimeAsync(15_000);
  await other.publish("news", "before");
  await vi.waitFor(() => expect(seen).toEqual(["before"]));
  proxy.silence();
  await vi.advanceTimersByTimeAsync(30_000);
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(100);
    await other.publish("news", "after");
    expect(seen).toContain("after");
  }, 10_000);
}

import { expect } from "vitest";
import type { LockStore } from "../../src/lock/lock-store.ts";
import { Locks } from "../../src/lock/locks.ts";
import { createRecordingLogger } from "./recording-logger.ts";

/** Strings that a client can send, and that engines may refuse or take for one another. */
export const hostileNames: readonly string[] = [
  ...["\0", "\0\0", "a\0b", "\ud800", "\udc00", "\ufffd", "\ufffd0000", "\ufffdd800"],
  ...[".", "..", "/", "a/b", "}", "{a}", "a:token", "\u0001", "\u007f", "one\ntwo", "it's", "%00"],
  ...["\0".repeat(256), "\ud800".repeat(256), "日".repeat(256), "🚀".repeat(128)],
];

/** Expects that a store keeps the locks of all hostile names apart, and does not fail for any. */
export async function expectSeparateLocks(store: LockStore): Promise<void> {
  const logger = createRecordingLogger();
  const locks = new Locks(store, logger);
  const held = [];
  for (const name of hostileNames) {
    const lock = await locks.acquire(name);
    expect(lock, JSON.stringify(name)).toMatchObject({ name });
    held.push(lock);
  }
  for (const name of hostileNames) expect(await locks.acquire(name)).toBeUndefined();
  for (const lock of held) expect(await lock?.release()).toBe(true);
  expect(logger.lines).toEqual([]);
}

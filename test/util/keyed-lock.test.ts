import { afterEach, expect, test, vi } from "vitest";
import { KeyedLock } from "../../src/util/keyed-lock.ts";

afterEach(() => void vi.useRealTimers());

function deferred() {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

test("runs tasks of one key in order, and those of another at once", async () => {
  const lock = new KeyedLock();
  const order: string[] = [];
  const gate = deferred();
  const first = lock.run("a", async () => {
    await gate.promise;
    order.push("first");
  });
  const second = lock.run("a", async () => void order.push("second"));
  await lock.run("b", async () => void order.push("other"));
  gate.resolve();
  await Promise.all([first, second]);
  expect(order).toEqual(["other", "first", "second"]);
});

test("continues after a failed task, and propagates its error", async () => {
  const lock = new KeyedLock();
  const failing = lock.run("a", () => Promise.reject(new Error("broken")));
  const next = lock.run("a", () => Promise.resolve(1));
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe(1);
});

test("waits at most five seconds for a task that never ends", async () => {
  vi.useFakeTimers();
  const lock = new KeyedLock();
  void lock.run("a", () => new Promise(() => {}));
  const task = vi.fn(() => Promise.resolve());
  const waiting = lock.run("a", task);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(task).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(task).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

test("leaves no timer behind once the earlier task has ended", async () => {
  vi.useFakeTimers();
  const lock = new KeyedLock();
  const gate = deferred();
  const first = lock.run("a", () => gate.promise);
  const second = lock.run("a", () => Promise.resolve());
  expect(vi.getTimerCount()).toBe(1);
  gate.resolve();
  await Promise.all([first, second]);
  expect(vi.getTimerCount()).toBe(0);
});

test("forgets the oldest of more than 10,000 keys whose tasks never end", async () => {
  vi.useFakeTimers();
  const lock = new KeyedLock();
  const hang = (): Promise<never> => new Promise(() => {});
  for (let key = 0; key < 10_000; key += 1) void lock.run(String(key), hang);
  const oldest = vi.fn(() => Promise.resolve());
  void lock.run("0", oldest);
  await vi.advanceTimersByTimeAsync(0);
  expect(oldest).not.toHaveBeenCalled();
  void lock.run("one more", hang);
  const forgotten = vi.fn(() => Promise.resolve());
  await lock.run("0", forgotten);
  expect(forgotten).toHaveBeenCalledOnce();
});

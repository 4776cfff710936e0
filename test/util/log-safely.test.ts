import { expect, test, vi } from "vitest";
import type { Logger } from "../../src/observability/logger.ts";
import { logSafely } from "../../src/util/log-safely.ts";
import { unhandledRejectionsOf } from "../support/unhandled-rejections.ts";

function loggerWith(write: () => unknown): Logger {
  return { debug: write, info: write, warn: write, error: write };
}

test("writes one object, in which a logger such as pino finds the fields", () => {
  const write = vi.fn();
  logSafely(loggerWith(write), "warn", "A message.", { id: 5 });
  logSafely(loggerWith(write), "error", "A message.");
  logSafely(loggerWith(write), "info", { path: "/" });
  expect(write.mock.calls).toEqual([
    [{ message: "A message.", id: 5 }],
    [{ message: "A message." }],
    [{ path: "/" }],
  ]);
});

test("ignores a logger that throws, and one that is missing", () => {
  const logger = loggerWith(() => {
    throw new Error("The disk is full.");
  });
  expect(() => logSafely(logger, "error", "A message.")).not.toThrow();
  expect(() => logSafely(undefined, "error", "A message.")).not.toThrow();
});

test("ignores a logger that rejects", async () => {
  const logger = loggerWith(async () => {
    throw new Error("The disk is full.");
  });
  const unhandled = await unhandledRejectionsOf(() => logSafely(logger, "error", "A message."));
  expect(unhandled).toEqual([]);
});

import { describe, expect, test } from "vitest";
import { describeError } from "../../src/observability/logger.ts";
import { formatTextRecord } from "../../src/observability/text-record.ts";

const time = new Date(2026, 10, 29, 9, 5, 7, 42).toISOString();
const plain = (fields: Record<string, unknown>): string =>
  formatTextRecord({ level: "info", time, ...fields }, { colours: false });

describe("a record as text", () => {
  test("has local time, level, message and fields", () => {
    expect(
      plain({ message: "Sent", to: "a@example.com", count: 3, tags: ["x"], note: "two words" }),
    ).toBe('09:05:07.042 INFO  Sent  to=a@example.com count=3 tags=["x"] note="two words"');
  });

  test("of a request begins with the request", () => {
    const record = {
      method: "GET",
      path: "/books/7",
      status: 200,
      durationMs: 3.4,
      route: "/books/:id",
    };
    expect(plain(record)).toBe("09:05:07.042 INFO  GET /books/7 → 200 in 3.4 ms  route=/books/:id");
  });

  test("has the stack of an error and its causes below", () => {
    const cause = Object.assign(new TypeError("inner"), { code: "E_INNER" });
    const error = new Error("outer", { cause });
    for (const value of [error, describeError(error)]) {
      const lines = plain({ level: "error", message: "Failed", id: "7", error: value }).split("\n");
      expect(lines[0]).toBe("09:05:07.042 ERROR Failed  id=7");
      expect(lines[1]).toBe("  error: Error: outer");
      expect(lines[2]).toMatch(/^ {6}at .*text-record\.test\.ts/);
      expect(lines).toContain("    cause: TypeError: inner [E_INNER]");
    }
  });

  test("has the errors of an AggregateError", () => {
    const error = new AggregateError([new Error("first"), "second"], "both");
    const text = plain({ error });
    expect(text).toContain("    0: Error: first");
    expect(text).toContain('    1: {"thrown":"second"}');
  });

  test("cannot be forged with control characters", () => {
    const attack = "x\u001b[2J\r\n09:05:07.042 INFO  forged\u202e\u0085";
    const error = new Error(attack);
    error.stack = `Error: ${attack}\n    at ${attack}`;
    for (const text of [
      plain({ message: attack }),
      plain({ message: "m", field: attack, [attack]: 1 }),
      plain({ error }),
      plain({ method: "GET", path: attack, status: 200 }),
    ]) {
      const [, ...others] = text.split("\n");
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
      for (const line of others) expect(line).toMatch(/^ /);
    }
  });

  test("never throws", () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    expect(
      plain({ message: 7n, circular, symbol: Symbol("s"), fn: () => 1, none: undefined }),
    ).toBe(
      '09:05:07.042 INFO  "7"  circular=[a value that is not JSON] symbol=Symbol(s) fn=() => 1',
    );
  });

  test("is coloured by level on request", () => {
    const text = formatTextRecord({ level: "warn", time, message: "m", a: 1 }, { colours: true });
    expect(text).toContain("\u001b[33mWARN \u001b[0m");
    expect(text).toContain("\u001b[2ma=\u001b[0m1");
  });
});

import { describe, expect, test } from "vitest";
import { CircuitBreaker } from "../../src/resilience/circuit-breaker.ts";

function createBreaker() {
  const clock = { nowMs: 0 };
  const breaker = new CircuitBreaker({
    failureThreshold: 3,
    coolDownMs: 2000,
    now: () => clock.nowMs,
  });
  const fail = (times: number): boolean[] => Array.from({ length: times }, () => breaker.failed());
  return { breaker, clock, fail };
}

describe("CircuitBreaker", () => {
  test("opens at the third consecutive failure", () => {
    const { breaker, fail } = createBreaker();
    expect(fail(3)).toEqual([false, false, true]);
    expect(breaker.isOpen).toBe(true);
    expect(breaker.allowsCall()).toBe(false);
  });

  test("a success in between starts the count again", () => {
    const { breaker, fail } = createBreaker();
    fail(2);
    expect(breaker.succeeded()).toBe(false);
    expect(fail(2)).toEqual([false, false]);
    expect(breaker.allowsCall()).toBe(true);
  });

  test("allows one call after the cool-down, and no second one", () => {
    const { breaker, clock, fail } = createBreaker();
    fail(3);
    clock.nowMs = 1999;
    expect(breaker.allowsCall()).toBe(false);
    expect(breaker.retryAfterMs).toBe(1);
    clock.nowMs = 2000;
    expect(breaker.retryAfterMs).toBe(0);
    expect(breaker.allowsCall()).toBe(true);
    expect(breaker.allowsCall()).toBe(false);
  });

  test("a probe that succeeds closes it", () => {
    const { breaker, clock, fail } = createBreaker();
    fail(3);
    clock.nowMs = 2000;
    breaker.allowsCall();
    expect(breaker.succeeded()).toBe(true);
    expect(breaker.allowsCall()).toBe(true);
    expect(breaker.allowsCall()).toBe(true);
  });

  test("a probe that fails starts another cool-down, and does not report an opening again", () => {
    const { breaker, clock, fail } = createBreaker();
    fail(3);
    clock.nowMs = 2500;
    breaker.allowsCall();
    expect(fail(1)).toEqual([false]);
    clock.nowMs = 4499;
    expect(breaker.allowsCall()).toBe(false);
    clock.nowMs = 4500;
    expect(breaker.allowsCall()).toBe(true);
  });

  test("a probe that never reports does not keep it open for ever", () => {
    const { breaker, clock, fail } = createBreaker();
    fail(3);
    clock.nowMs = 2000;
    breaker.allowsCall();
    clock.nowMs = 4000;
    expect(breaker.allowsCall()).toBe(true);
  });
});

import type { RequestContext } from "../http/context.ts";
import { storeKey } from "../middleware/rate-limit-key.ts";
import type {
  RateLimitAttempt,
  RateLimitDecision,
  RateLimitStore,
} from "../rate-limit/rate-limit-store.ts";
import { assertEqual } from "./assertions.ts";
import type { TestRunner } from "./cache-store-suite.ts";

/** Options of `rateLimitStoreSuite`. */
export interface RateLimitStoreSuiteOptions extends TestRunner {
  /** Name of the store in test titles. */
  readonly name: string;
  /** Returns a store of another instance with each call, or the same one; all of them share their counts. */
  readonly createStore: () => RateLimitStore | Promise<RateLimitStore>;
  /** Context of the requests, for a store that reads its binding from it; default: none. */
  readonly context?: RequestContext;
  /**
   * Lets time pass for the stores, in milliseconds; negative: sets their clock back. Default: real time, in which
   * they are not compared with a model.
   */
  readonly wait?: (ms: number) => void | Promise<void>;
}

type Consume = (attempt: RateLimitAttempt) => Promise<RateLimitDecision>;

/** Longer than a test takes: an engine may expire keys by a clock of its own. */
const longMs = 60_000;

/** Names that an engine could mistake for patterns, paths, quotes or lines. */
const unusualKeys: readonly string[] = [
  ...[
    "a",
    "A",
    "a:b",
    "a::b",
    "a*",
    "a?",
    "[a]",
    "a b",
    "a/b",
    "a%3Ab",
    '"a"',
    "it's",
    "__proto__",
  ],
  ...["ünïcode 🚀", "one\ntwo", "k".repeat(255), "k".repeat(256)],
];

/** Strings that engines may refuse or take for one another; the limiter maps them to keys of the store. */
const hostileIds: readonly string[] = [
  ...["", ".", "..", "\0", "\0\0", "\ud800", "\udc00", "\ufffd", "\ufffd0000", "\ufffdd800"],
  ...["\u0001", "\u007f", "\u0085", "\u2028", "\ufeff", "\uffff", "k".repeat(10_000)],
  ...["\0".repeat(255), "\ud800".repeat(300), `${"\ud800".repeat(299)}\udbff`],
];

/**
 * Tests all guarantees of `RateLimitStore`, on any store that counts exactly.
 *
 * ```ts
 * import { describe, it } from "vitest";
 * rateLimitStoreSuite({ name: "valkey", describe, it, createStore: () => new ValkeyLimits(url) });
 * ```
 */
export function rateLimitStoreSuite(options: RateLimitStoreSuiteOptions): void {
  const wait = options.wait ?? ((ms: number) => new Promise((resolve) => setTimeout(resolve, ms)));
  let count = 0;

  /** Adds a test that gets four instances in turn, and a key of its own. */
  const it = (title: string, body: (consume: Consume, key: string) => Promise<void>): void => {
    options.it(title, async () => {
      count += 1;
      const stores: RateLimitStore[] = [];
      for (let instance = 0; instance < 4; instance += 1) stores.push(await options.createStore());
      let calls = 0;
      const consume: Consume = async (attempt) => {
        const store = stores[calls % stores.length] as RateLimitStore; // the index is within the list
        calls += 1;
        // A store that needs a context gets it from the options.
        return await store.consume(attempt, options.context as RequestContext);
      };
      await body(consume, `suite-${count}-${crypto.randomUUID()}`);
    });
  };

  options.describe(`the rate limit store ${options.name}`, () => {
    it("admits as many requests as the limit, and counts none that it rejects", async (consume, key) => {
      const attempt = { key, limit: 3, windowMs: longMs };
      for (const remaining of [2, 1, 0]) {
        const decision = await consume(attempt);
        assertEqual(decision.allowed, true, `with ${remaining} remaining`);
        assertEqual(decision.remaining ?? remaining, remaining, "the remaining requests");
        assertTime(decision, longMs);
      }
      for (let request = 0; request < 5; request += 1) {
        const decision = await consume(attempt);
        assertEqual(decision.allowed, false, "beyond the limit");
        assertEqual(decision.remaining ?? 0, 0, "the remaining requests");
        assertTime(decision, longMs);
      }
    });

    it("admits exactly the limit of concurrent requests of four instances", async (consume, key) => {
      for (const round of [1, 2, 3]) {
        const attempt = { key: `${key}-${round}`, limit: 50, windowMs: longMs };
        const decisions = await Promise.all(Array.from({ length: 200 }, () => consume(attempt)));
        const allowed = decisions.filter((decision) => decision.allowed);
        assertEqual(allowed.length, 50, "the number of admitted requests");
        assertEqual((await consume(attempt)).allowed, false, "a request after them");
      }
    });

    it("counts each key separately, whatever its characters", async (consume, key) => {
      const prefix = key.slice(-8);
      const keys = unusualKeys.map((one) => (one.length > 200 ? one : prefix + one));
      const once = (one: string) => consume({ key: one, limit: 1, windowMs: longMs });
      for (const one of keys) assertEqual((await once(one)).allowed, true, `the first of ${one}`);
      for (const one of keys) assertEqual((await once(one)).allowed, false, `the next of ${one}`);
    });

    it("counts each id that a client has chosen separately", async (consume, key) => {
      const keys = await Promise.all(
        hostileIds.map((id) => storeKey("suite", { kind: "custom", id: key.slice(-8) + id })),
      );
      const once = (one: string) => consume({ key: one, limit: 1, windowMs: longMs });
      for (const [index, one] of keys.entries()) {
        assertEqual((await once(one)).allowed, true, `the first of id ${index}`);
      }
      for (const [index, one] of keys.entries()) {
        assertEqual((await once(one)).allowed, false, `the next of id ${index}`);
      }
    });

    it("frees a place when its request has left the window", async (consume, key) => {
      const attempt = { key, limit: 2, windowMs: 1000 };
      assertEqual((await consume(attempt)).allowed, true, "the first request");
      await wait(600);
      assertEqual((await consume(attempt)).allowed, true, "the second request");
      assertEqual((await consume(attempt)).allowed, false, "a third request");
      await wait(500);
      assertEqual((await consume(attempt)).allowed, true, "after the window of the first");
      assertEqual((await consume(attempt)).allowed, false, "within the window of the second");
    });

    it("counts the requests before, if the limit is lowered", async (consume, key) => {
      for (let request = 0; request < 5; request += 1) {
        await consume({ key, limit: 5, windowMs: longMs });
      }
      const decision = await consume({ key, limit: 2, windowMs: longMs });
      assertEqual(decision.allowed, false, "with a limit of 2");
      assertEqual(decision.remaining ?? 0, 0, "the remaining requests");
    });

    if (options.wait !== undefined) {
      it("decides as a model does, also if the clock is set back and the limit is lowered", async (consume, key) => {
        const model = new ExactLog();
        for (const { passMs, limit } of arrivals()) {
          await wait(passMs);
          const expected = model.consume(passMs, limit);
          const { allowed, remaining, resetMs } = await consume({ key, limit, windowMs: longMs });
          const actual = {
            allowed,
            remaining: remaining ?? expected.remaining,
            resetMs: resetMs ?? expected.resetMs,
          };
          assertEqual(actual, expected, "the decision");
        }
      });
    }
  });
}

/** Asserts that a time to wait is within the window, unless the store does not know it. */
function assertTime({ resetMs }: RateLimitDecision, windowMs: number): void {
  if (resetMs === undefined) return;
  assertEqual(resetMs > 0 && resetMs <= windowMs, true, `a time of ${resetMs} ms to wait`);
}

/** Arrivals that a limit of 25 in the window mostly admits, in a fixed pseudo-random order. */
function* arrivals(): Generator<{ readonly passMs: number; readonly limit: number }> {
  let seed = 42;
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  for (let arrival = 0; arrival < 500; arrival += 1) {
    const isSetBack = random() < 0.02;
    const passMs = isSetBack ? -Math.floor(random() * 30_000) : Math.floor(random() * 2400);
    yield { passMs, limit: arrival % 200 < 150 ? 25 : 20 };
  }
}

/** Model: the times of all admitted requests. */
class ExactLog {
  #now = 0;
  #log: number[] = [];

  consume(passMs: number, limit: number): RateLimitDecision {
    this.#now += passMs;
    const now = this.#now;
    // A time in the future is one before the clock was set back.
    this.#log = this.#log.map((at) => Math.min(at, now)).filter((at) => at > now - longMs);
    const allowed = this.#log.length < limit;
    if (allowed) this.#log.push(now);
    // One more is admitted when fewer than the limit are left.
    const leaving = this.#log[Math.max(0, this.#log.length - limit)] ?? now;
    const remaining = Math.max(0, limit - this.#log.length);
    return { allowed, remaining, resetMs: leaving + longMs - now };
  }
}

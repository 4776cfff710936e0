import { EspalierError } from "../errors.ts";

/**
 * A clock that stands still until a test moves it.
 *
 * Stores and `Auth` take its `now` as their option `now`. {@link install} makes it the clock of
 * everything that reads the time with `Date`, the framework's cache, sessions, tokens and queue among
 * it, until {@link restore}. Timers stay those of the platform.
 */
export class FakeClock {
  #nowMs: number;
  #realDate: DateConstructor | undefined;

  /** @internal */
  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  /** The time, in milliseconds since the epoch; a function of its own, to be handed over. */
  readonly now: () => number = () => this.#nowMs;

  /** Lets time pass, in milliseconds. */
  advance(ms: number): void {
    if (!(ms >= 0)) throw badTime(`advance(${ms})`, "time passes forwards; use 0 or more");
    this.#nowMs += ms;
  }

  /** Sets the time. */
  set(time: Date | number): void {
    this.#nowMs = readTime(time);
  }

  /** Makes `Date.now()` and `new Date()` tell this time, for the whole process. */
  install(): this {
    if (this.#realDate !== undefined) return this;
    const RealDate = globalThis.Date;
    const { now } = this;
    class FakeDate extends RealDate {
      constructor(...given: [] | [number | string | Date]) {
        // With several numbers too: the type names one, and all are handed on.
        super(...((given.length === 0 ? [now()] : given) as [number]));
      }
      static override now(): number {
        return now();
      }
    }
    this.#realDate = RealDate;
    globalThis.Date = FakeDate as DateConstructor;
    return this;
  }

  /** Gives the process its own clock again. */
  restore(): void {
    if (this.#realDate !== undefined) globalThis.Date = this.#realDate;
    this.#realDate = undefined;
  }

  /** `using clock = createFakeClock().install()` restores at the end of the block. */
  [Symbol.dispose](): void {
    this.restore();
  }
}

/**
 * A clock for tests.
 *
 * ```ts
 * const clock = createFakeClock("2027-01-01T00:00:00Z").install();
 * clock.advance(60_000);
 * clock.restore();
 * ```
 *
 * @param start where it begins; default: now
 */
export function createFakeClock(start: Date | number | string = Date.now()): FakeClock {
  return new FakeClock(readTime(typeof start === "string" ? new Date(start) : start));
}

function readTime(time: Date | number): number {
  const ms = Number(time);
  if (Number.isFinite(ms)) return ms;
  throw badTime(String(time), "use a Date, or milliseconds since the epoch");
}

function badTime(given: string, wayOut: string): EspalierError {
  return new EspalierError("ERR_TESTING_BAD_OPTION", `The clock got ${given}: ${wayOut}.`);
}

import { EspalierError } from "../errors.ts";

/**
 * A clock that only advances when a test moves it.
 *
 * Stores and `Auth` accept its `now` as their option `now`. {@link install} replaces the clock of all code
 * that reads the time with `Date`, including the framework's cache, sessions, tokens and queue, until {@link
 * restore}. Timers are not affected.
 */
export class FakeClock {
  #nowMs: number;
  #realDate: DateConstructor | undefined;

  /** @internal */
  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  /** Returns the time in milliseconds since the epoch; can be passed without its object. */
  readonly now: () => number = () => this.#nowMs;

  /** Advances the time by `ms` milliseconds. */
  advance(ms: number): void {
    if (!(ms >= 0)) throw badTime(`advance(${ms})`, "time passes forwards; use 0 or more");
    this.#nowMs += ms;
  }

  /** Sets the time. */
  set(time: Date | number): void {
    this.#nowMs = readTime(time);
  }

  /** Makes `Date.now()` and `new Date()` return this time, for the whole process. */
  install(): this {
    if (this.#realDate !== undefined) return this;
    const RealDate = globalThis.Date;
    const { now } = this;
    class FakeDate extends RealDate {
      constructor(...given: [] | [number | string | Date]) {
        // Also for several numbers: the tuple type only names one, but all are passed on.
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

  /** Restores the system clock of the process. */
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
 * Creates a clock for tests.
 *
 * ```ts
 * const clock = createFakeClock("2027-01-01T00:00:00Z").install();
 * clock.advance(60_000);
 * clock.restore();
 * ```
 *
 * @param start initial time; default: now
 */
export function createFakeClock(start: Date | number | string = Date.now()): FakeClock {
  return new FakeClock(readTime(typeof start === "string" ? new Date(start) : start));
}

function readTime(time: Date | number): number {
  const ms = Number(time);
  if (Number.isFinite(ms)) return ms;
  throw badTime(String(time), "use a Date, or milliseconds since the epoch");
}

function badTime(given: string, fix: string): EspalierError {
  return new EspalierError("ERR_TESTING_BAD_OPTION", `The clock got ${given}: ${fix}.`);
}

import type { Application } from "espalier";
import type { FaultyStore, StoreFault } from "../../support/faulty-store.ts";

/** The response of a seam to one fault. */
export interface Expected {
  readonly status: number;
  /** Time until the response while the circuit breaker is closed, in milliseconds. */
  readonly afterMs: number;
  /** Status while the circuit breaker is open; undefined: this fault does not open it. */
  readonly openStatus?: number;
}

/** One use of a store by an application. */
export interface Seam {
  readonly name: string;
  /** Name of the store in the log. */
  readonly store: string;
  /** Sends the cookie of the first response; default: no cookie. */
  readonly sendsCookie?: boolean;
  /** Number of keys that one call reads; default 1. */
  readonly keysPerCall?: number;
  /** Adds the route `GET /`, which uses the store. */
  readonly prepare: (app: Application, store: FaultyStore) => void;
  readonly expected: Readonly<Record<StoreFault, Expected>>;
}

/** A store that fails makes the request fail with 503: after the deadline, or at once. */
export const fails503 = {
  refuses: { status: 503, afterMs: 0, openStatus: 503 },
  "never answers": { status: 503, afterMs: 1000, openStatus: 503 },
  "answers late": { status: 503, afterMs: 1000, openStatus: 503 },
} as const;

/** A store that fails is bypassed: after one deadline, or at once. */
export const isBypassed = {
  refuses: { status: 200, afterMs: 0, openStatus: 200 },
  "never answers": { status: 200, afterMs: 1000, openStatus: 200 },
  "answers late": { status: 200, afterMs: 1000, openStatus: 200 },
} as const;

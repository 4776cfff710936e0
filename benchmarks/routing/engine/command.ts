import type { RouteTable } from "../tables/route-table.ts";

/** Which requests of a table a batch runs: those with a route, or those without. */
export type RequestSet = "matches" | "misses";

/**
 * What the measuring side asks of the engine, which runs where the routers run. Sent as JSON.
 *
 * `load` fills every router and checks its answers; `batch` runs one of them in a timed loop.
 * `prepare` only hands over a table, `register` fills routers with it and lets each match once, and
 * `keep` does the same and holds on to them.
 */
export type Command =
  | { readonly kind: "load"; readonly table: RouteTable }
  | {
      readonly kind: "batch";
      readonly subject: string;
      readonly set: RequestSet;
      readonly passes: number;
    }
  | { readonly kind: "prepare"; readonly table: RouteTable }
  | { readonly kind: "register"; readonly subject: string; readonly times: number }
  | { readonly kind: "keep"; readonly subject: string; readonly times: number }
  | { readonly kind: "nothing" };

/** What became of one router when it was filled with a table and asked every request. */
export interface Verdict {
  readonly subject: string;
  /** Why it is not measured; undefined if it is. */
  readonly problem: string | undefined;
  /** Requests that it was asked, and how many of them it answered wrongly. */
  readonly asked: number;
  readonly wrong: number;
  /** One of the wrong answers, for the reader; undefined without any. */
  readonly example: string | undefined;
}

/** The answer to `load`. */
export interface Loaded {
  readonly verdicts: readonly Verdict[];
  /** How many requests each set has: those that every measured router answers rightly. */
  readonly sizes: Readonly<Record<RequestSet, number>>;
}

/** The answer to a command that does work: how many operations it was. */
export interface Done {
  readonly operations: number;
}

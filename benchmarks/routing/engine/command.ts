import type { RouteTable } from "../tables/route-table.ts";

/** Requests of a table that a batch runs: those with a route, or those without. */
export type RequestSet = "matches" | "misses";

/**
 * A command to the engine, which runs beside the routers. Sent as JSON.
 *
 * `load` fills every router and checks its results; `batch` runs one of them in a timed loop.
 * `prepare` only sets a table, `register` fills routers with it and matches once, and `keep` does the
 * same and retains the routers.
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

/** Result of filling a router with a table and matching every request. */
export interface Verdict {
  readonly subject: string;
  /** Reason why it is not measured; undefined if it is. */
  readonly problem: string | undefined;
  /** Number of requests, and of wrong results. */
  readonly asked: number;
  readonly wrong: number;
  /** Example of a wrong result; undefined without any. */
  readonly example: string | undefined;
}

/** Reply to `load`. */
export interface Loaded {
  readonly verdicts: readonly Verdict[];
  /** Number of requests in each set: those that every measured router matches correctly. */
  readonly sizes: Readonly<Record<RequestSet, number>>;
}

/** Reply to a timed command: its number of operations. */
export interface Done {
  readonly operations: number;
}

import type { GrownSize } from "./tables/grown-table.ts";

/** Number and length of the measurements of a run. */
export interface Effort {
  /** Fresh processes or isolates per table, so that a single slow one does not decide the result. */
  readonly sessions: number;
  /** Rounds in a session, in which every subject runs one batch, one after the other. */
  readonly rounds: number;
  /** Approximate duration of a batch; longer in workerd, where a batch is timed from outside. */
  readonly batchMs: { readonly node: number; readonly workerd: number };
  /** Minimum warm-up of a subject before the first round. */
  readonly warmUpMs: number;
  /** Fresh processes or isolates per subject for the cold registration; 0 skips it. */
  readonly coldStarts: number;
  /** Number of routers filled by a batch of the warm registration. */
  readonly registrations: number;
  /** Number of routers kept to measure the memory of one. */
  readonly instances: number;
  /** Numbers of routes for the growth of the cost of a match. */
  readonly grownSizes: readonly GrownSize[];
}

export const full: Effort = {
  sessions: 5,
  rounds: 9,
  batchMs: { node: 10, workerd: 20 },
  warmUpMs: 300,
  coldStarts: 5,
  registrations: 4,
  instances: 10,
  grownSizes: [100, 1_000, 10_000],
};

/** Enough to check every result and the measuring itself; its times are not meaningful. */
export const quick: Effort = {
  sessions: 1,
  rounds: 3,
  batchMs: { node: 2, workerd: 10 },
  warmUpMs: 5,
  coldStarts: 0,
  registrations: 1,
  instances: 2,
  grownSizes: [100, 1_000],
};

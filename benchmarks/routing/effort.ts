import type { GrownSize } from "./tables/grown-table.ts";

/** How much a run measures. */
export interface Effort {
  /** Fresh processes or isolates per table: one that started unluckily is not the result. */
  readonly sessions: number;
  /** Rounds in a session, in which every subject runs one batch, one after the other. */
  readonly rounds: number;
  /** How long one batch lasts, about; longer in workerd, where a batch is timed from outside. */
  readonly batchMs: { readonly node: number; readonly workerd: number };
  /** How long a subject runs before the first round, at least. */
  readonly warmUpMs: number;
  /** Fresh processes or isolates per subject for the cold registration; 0 leaves it out. */
  readonly coldStarts: number;
  /** How many routers a batch of the warm registration fills. */
  readonly registrations: number;
  /** How many routers are kept to measure what one occupies. */
  readonly instances: number;
  /** The sizes that show how the cost of a match grows with the number of routes. */
  readonly grownSizes: readonly GrownSize[];
}

export const full: Effort = {
  sessions: 3,
  rounds: 15,
  batchMs: { node: 10, workerd: 20 },
  warmUpMs: 300,
  coldStarts: 5,
  registrations: 4,
  instances: 10,
  grownSizes: [100, 1_000, 10_000],
};

/** Enough to check every answer and to see that the measuring works; its times mean little. */
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

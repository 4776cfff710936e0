/** Number and length of the measurements of a run. */
export interface Effort {
  /** Fresh processes or isolates per application, so that a single slow one does not decide the result. */
  readonly sessions: number;
  /** Rounds in a session, in which every subject runs one batch, one after the other. */
  readonly rounds: number;
  /** Approximate duration of a batch. */
  readonly batchMs: number;
  /** Minimum warm-up of a subject before the first round. */
  readonly warmUpMs: number;
}

export const full: Effort = { sessions: 5, rounds: 15, batchMs: 20, warmUpMs: 500 };

/** Enough to check every response and the measuring itself; its times are not meaningful. */
export const quick: Effort = { sessions: 1, rounds: 2, batchMs: 2, warmUpMs: 2 };

/** How much a run measures. */
export interface Effort {
  /** Fresh processes or isolates for each application: an unlucky one is not the result. */
  readonly sessions: number;
  /** Rounds in a session, in which every subject runs one batch, one after the other. */
  readonly rounds: number;
  /** How long one batch lasts, about. */
  readonly batchMs: number;
  /** How long a subject runs before the first round, at least. */
  readonly warmUpMs: number;
}

export const full: Effort = { sessions: 3, rounds: 25, batchMs: 20, warmUpMs: 500 };

/** Enough to check every answer and to see that the measuring works; its times mean little. */
export const quick: Effort = { sessions: 1, rounds: 2, batchMs: 2, warmUpMs: 2 };

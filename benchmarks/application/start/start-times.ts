/** Durations of a start, in milliseconds. */
export interface StartTimes {
  /** Loading and evaluating the modules. */
  readonly evaluationMs: number;
  /** From there to the first response: building the application, and the first match. */
  readonly firstMs: number;
}

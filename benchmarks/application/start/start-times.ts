/** How long a start took, in milliseconds. */
export interface StartTimes {
  /** Loading and evaluating the modules. */
  readonly evaluationMs: number;
  /** From there to the first answer: building the application, and the first match. */
  readonly firstMs: number;
}

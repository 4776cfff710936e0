/** A command to the engine, which runs beside the frameworks. Sent as JSON. */
export type Command =
  | { readonly kind: "check" }
  | { readonly kind: "batch"; readonly subject: string; readonly count: number }
  | { readonly kind: "heap" }
  | { readonly kind: "nothing" };

/** Result of building a subject and checking all its responses. */
export interface Verdict {
  readonly subject: string;
  /** Reason why it is not measured, or the first wrong response; undefined if all were correct. */
  readonly problem: string | undefined;
}

/** Memory of a runtime in use after a garbage collection, in bytes. */
export interface HeapUse {
  readonly heapBytes: number;
  /** All wasm memories of the process; they never shrink. */
  readonly wasmBytes: number;
}

/** Reply to a command, by its kind; `elapsedMs` is 0 in workerd, whose clock stands still. */
export interface Reply {
  readonly verdicts?: readonly Verdict[];
  readonly heap?: HeapUse;
  readonly elapsedMs: number;
  /** Reason why the command failed. */
  readonly error?: string;
}

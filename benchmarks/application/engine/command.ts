/** What the measuring side asks of the engine, which runs where the frameworks run. Sent as JSON. */
export type Command =
  | { readonly kind: "check" }
  | { readonly kind: "batch"; readonly subject: string; readonly count: number }
  | { readonly kind: "heap" }
  | { readonly kind: "nothing" };

/** What came out when a subject was built and asked everything. */
export interface Verdict {
  readonly subject: string;
  /** Why it is not measured, or the first wrong answer; undefined when all was right. */
  readonly problem: string | undefined;
}

/** Bytes that a runtime has in use after its garbage was collected. */
export interface HeapUse {
  readonly heapBytes: number;
  /** Of all wasm memories that the process has; they only ever grow. */
  readonly wasmBytes: number;
}

/** The answer to a command, by its kind; `elapsedMs` is 0 where the clock stands still. */
export interface Reply {
  readonly verdicts?: readonly Verdict[];
  readonly heap?: HeapUse;
  readonly elapsedMs: number;
  /** Why the command failed. */
  readonly error?: string;
}

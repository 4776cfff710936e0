/** Job of the worker process. */
export interface Order {
  /** Copy of the repository with the mutants. */
  readonly tree: string;
  /** Test files, from the root of the copy. */
  readonly files: readonly string[];
  /** Ids of the mutants to test. */
  readonly mutants: readonly string[];
  /** File to which the worker writes one JSON line per event. */
  readonly progress: string;
  /** File of the reach, read or written. */
  readonly reach: string;
  /** True if this process must first verify that every test passes without a mutant. */
  readonly isFirst: boolean;
}

/** Tests that reach each mutant, measured without active mutants. */
export interface Reach {
  /** Mutant → test file → id of the test → duration in milliseconds. */
  readonly tests: Record<string, Record<string, Record<string, number>>>;
  /** Mutant → number of times it was reached. */
  readonly hits: Record<string, number>;
  /** Mutant → id of the test → number of times it was reached by that test. */
  readonly hitsOfTests: Record<string, Record<string, number>>;
  /** Tests that fail without a mutant; they are ignored. */
  readonly failing: string[];
  /** Tests that were skipped because they are slow. */
  readonly slow: string[];
}

/** The subset of Vitest's tasks used here. */
export interface Task {
  readonly id: string;
  readonly name: string;
  readonly type: "test" | "suite";
  readonly filepath?: string;
  readonly tasks?: Task[];
  mode: string;
  readonly result?: {
    readonly state: string;
    readonly duration?: number;
    readonly errors?: readonly { readonly message: string }[];
  };
}

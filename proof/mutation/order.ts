/** What the driver asks the worker to do. */
export interface Order {
  /** The copy of the repository with the mutants. */
  readonly tree: string;
  /** Test files, from the root of the copy. */
  readonly files: readonly string[];
  /** Ids of the mutants to test. */
  readonly mutants: readonly string[];
  /** Where the worker writes one line of JSON per event. */
  readonly progress: string;
  /** Where the reach is, or is to be written. */
  readonly reach: string;
  /** Whether this process has to see first that every test passes without a mutant. */
  readonly isFirst: boolean;
}

/** Which tests reach a mutant, measured without mutants. */
export interface Reach {
  /** Mutant → test file → id of the test → milliseconds that it took. */
  readonly tests: Record<string, Record<string, Record<string, number>>>;
  /** Mutant → how often it was reached. */
  readonly hits: Record<string, number>;
  /** Mutant → id of the test → how often it was reached in that one. */
  readonly hitsOfTests: Record<string, Record<string, number>>;
  /** Tests that fail without any mutant, which nothing is measured by. */
  readonly failing: string[];
  /** Tests that were left away because they take long. */
  readonly slow: string[];
}

/** What of Vitest's tasks is looked at. */
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

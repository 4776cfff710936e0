/** One measured number, as every benchmark writes it into its JSON file. */
export interface Row {
  readonly case: string;
  readonly runtime: string;
  readonly subject: string;
  readonly value: number;
  readonly unit: string;
  /** Above 1 where it is better than Hono, as many times; undefined where that has no meaning. */
  readonly ratio: number | undefined;
  /** The quartiles of the samples whose median `value` is; equal to it for a single number. */
  readonly low: number;
  readonly high: number;
  /** Further numbers of the same measurement, by name. */
  readonly more?: Readonly<Record<string, number>>;
}

/** A subject that could not be measured in some case, and why. */
export interface Shortcoming {
  readonly case: string;
  readonly runtime: string;
  readonly subject: string;
  readonly reason: string;
}

/** A whole run. */
export interface Report {
  readonly machine: Readonly<Record<string, string | number>>;
  readonly versions: Readonly<Record<string, string>>;
  readonly quick: boolean;
  readonly rows: readonly Row[];
  readonly shortcomings: readonly Shortcoming[];
  readonly skipped: readonly string[];
}

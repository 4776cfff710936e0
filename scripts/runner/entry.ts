/** A program that `npm run proof` or `npm run bench` runs by name. */
export interface Entry {
  readonly name: string;
  /** One line for the list of names. */
  readonly summary: string;
  /** Path of the program from the root of the repository. */
  readonly program: string;
  /** Options beside `--quick` and `--json FILE`, as the usage line shows them. */
  readonly options: string;
  /** Measured files and folders from the root of the repository; results record their hash. */
  readonly sources: readonly string[];
  /** Runs the built package: `dist` is built first if it is missing or older than its sources. */
  readonly needsBuild: boolean;
}

/** A program that measures nothing: no `--quick`, no `--json`, and not part of `all`. */
export type Tool = Pick<Entry, "name" | "summary" | "program" | "options" | "needsBuild">;

/** Sources of the published package. */
export const packageSources: readonly string[] = ["src", "router-wasm/pkg", "rollup.config.mjs"];

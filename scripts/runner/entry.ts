/** Sources of a result, as paths from the root of the repository. */
export interface Sources {
  /**
   * Modules that run, and folders of them. All modules that they import count as well, on every platform;
   * comments and types do not.
   */
  readonly code: readonly string[];
  /** Files and folders whose whole text counts: types that are checked, other languages, settings of the build. */
  readonly texts: readonly string[];
}

/** A program that `npm run proof` or `npm run bench` runs by name. */
export interface Entry extends Sources {
  readonly name: string;
  /** One line for the list of names. */
  readonly summary: string;
  /** Path of the program from the root of the repository. */
  readonly program: string;
  /** Options beside `--quick` and `--json FILE`, as the usage line shows them. */
  readonly options: string;
  /** Runs the built package: `dist` is built first if it is missing or older than its sources. */
  readonly needsBuild: boolean;
}

/** A program that measures nothing: no `--quick`, no `--json`, and not part of `all`. */
export type Tool = Pick<Entry, "name" | "summary" | "program" | "options" | "needsBuild">;

/** Sources of the build beside the modules. */
const buildTexts = ["router-wasm/pkg", "rollup.config.mjs"] as const;

/** Sources of the published package. */
export const packageSources: readonly string[] = ["src", ...buildTexts];

/**
 * Returns the sources of a program that runs the built package.
 *
 * @param code entries of the package that it imports, and folders of the examples that it runs
 */
export function builtFrom(...code: readonly string[]): Sources & { readonly needsBuild: true } {
  return { code, texts: buildTexts, needsBuild: true };
}

import { EspalierError } from "../errors.ts";
import type { BrokenRule } from "./check.ts";

/**
 * One thing that is wrong with the configuration. It never holds the value, which may be a secret.
 */
export interface ConfigurationIssue {
  /** The name that `configure` was given. */
  readonly section: string;
  /** The field of the section. */
  readonly field: string;
  /** The key of the rule that is broken. */
  readonly rule: BrokenRule["rule"];
  /** A whole sentence, with the place the value came from or can be given in. */
  readonly message: string;
}

/**
 * The configuration is wrong: every issue of every section that was looked at.
 *
 * @example if (error instanceof ConfigurationError) console.error(error.issues.map(({ field }) => field));
 */
export class ConfigurationError extends EspalierError {
  override readonly name: string = "ConfigurationError";
  /** Section by section, in the order of their fields. */
  readonly issues: readonly ConfigurationIssue[];

  constructor(issues: readonly ConfigurationIssue[]) {
    const lines = issues.map(({ message }) => `- ${message}`);
    super("ERR_CONFIG_INVALID", `The configuration is invalid:\n${lines.join("\n")}`);
    this.issues = issues;
  }
}

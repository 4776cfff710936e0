import { EspalierError } from "../errors.ts";
import type { BrokenRule } from "./check.ts";

/**
 * One configuration issue. It never includes the value, which may be a secret.
 */
export interface ConfigurationIssue {
  /** The section name passed to `configure`. */
  readonly section: string;
  /** The field of the section. */
  readonly field: string;
  /** The key of the broken rule. */
  readonly rule: BrokenRule["rule"];
  /** The full message, including the value's origin or the variable to set. */
  readonly message: string;
}

/**
 * Thrown when the configuration is invalid: contains every issue of every validated section.
 *
 * @example if (error instanceof ConfigurationError) console.error(error.issues.map(({ field }) => field));
 */
export class ConfigurationError extends EspalierError {
  override readonly name: string = "ConfigurationError";
  /** Issues by section, in the order of their fields. */
  readonly issues: readonly ConfigurationIssue[];

  constructor(issues: readonly ConfigurationIssue[]) {
    const lines = issues.map(({ message }) => `- ${message}`);
    super("ERR_CONFIG_INVALID", `The configuration is invalid:\n${lines.join("\n")}`);
    this.issues = issues;
  }
}

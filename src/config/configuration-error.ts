import { EspalierError } from "../errors.ts";
import type { BrokenRule } from "./check.ts";

/**
 * One thing that is wrong with the configuration. It never holds the value, which may be a secret.
 */
export interface ConfigurationIssue {
  readonly section: string;
  readonly field: string;
  readonly rule: BrokenRule["rule"];
  /** A whole sentence, with the place the value came from or can be given in. */
  readonly message: string;
}

/** The configuration is wrong: every issue of every section that was looked at. */
export class ConfigurationError extends EspalierError {
  override readonly name: string = "ConfigurationError";
  readonly issues: readonly ConfigurationIssue[];

  constructor(issues: readonly ConfigurationIssue[]) {
    const lines = issues.map(({ message }) => `- ${message}`);
    super("ERR_CONFIG_INVALID", `The configuration is invalid:\n${lines.join("\n")}`);
    this.issues = issues;
  }
}

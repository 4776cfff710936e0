import type { Logger } from "../../observability/logger.ts";
import { logSafely } from "../../util/log-safely.ts";
import { findNearNames } from "../../util/nearest-names.ts";

/** A binding that the application names and that does not exist. */
export interface MissingBinding {
  readonly name: string;
  /** Expected kind of the binding: "KV namespace", "queue". */
  readonly kind: string;
  /** The fallback, as the end of a sentence. */
  readonly instead: string;
  /** Entry missing from `wrangler.toml`. */
  readonly entry: string;
  readonly environment: Readonly<Record<string, unknown>>;
  /** Existing bindings of this kind. */
  readonly others: readonly string[];
}

/** Warns about a missing binding; without the warning the fallback would hide the mistake. */
export function warnAboutMissingBinding(logger: Logger, missing: MissingBinding): void {
  const { name, kind, instead, entry, environment, others } = missing;
  const problem =
    environment[name] === undefined
      ? `The binding "${name}" does not exist`
      : `The binding "${name}" is not a ${kind}`;
  const [near] = findNearNames(name, others);
  const hint = near === undefined ? "Add" : `Did you mean "${near}"? Otherwise add`;
  const message = `${problem}, so ${instead}. ${hint} to wrangler.toml: ${entry}`;
  logSafely(logger, "warn", message);
}

import type { Logger } from "../../observability/logger.ts";
import { logSafely } from "../../util/log-safely.ts";
import { findNearNames } from "../../util/nearest-names.ts";

/** A binding that the application names and that is not there. */
export interface MissingBinding {
  readonly name: string;
  /** What it should be: "KV namespace", "queue". */
  readonly kind: string;
  /** What happens now, as the end of a sentence. */
  readonly instead: string;
  /** What `wrangler.toml` lacks. */
  readonly entry: string;
  readonly environment: Readonly<Record<string, unknown>>;
  /** The bindings of this kind that are there. */
  readonly others: readonly string[];
}

/** Tells of a misspelt or forgotten binding, of which nobody would hear: there is a way without it. */
export function warnAboutMissingBinding(logger: Logger, missing: MissingBinding): void {
  const { name, kind, instead, entry, environment, others } = missing;
  const problem =
    environment[name] === undefined
      ? `There is no ${kind} under the binding "${name}"`
      : `The binding "${name}" is no ${kind}`;
  const [near] = findNearNames(name, others);
  const hint = near === undefined ? "Add" : `Did you mean "${near}"? Otherwise add`;
  const message = `${problem}, so ${instead}. ${hint} to wrangler.toml: ${entry}`;
  logSafely(logger, "warn", message);
}

import { readChoices, readOptions } from "../../scripts/runner/usage.ts";
import type { RuntimeName } from "./runtimes/runtime.ts";

/** Parsed command line. */
export interface Options {
  readonly quick: boolean;
  /** Output file for the result as JSON; undefined prints to the terminal only. */
  readonly jsonFile: string | undefined;
  readonly runtimes: readonly RuntimeName[];
  /** Table to measure; undefined for all tables and the other cases. */
  readonly table: string | undefined;
}

/** @throws UsageError for an unknown option or runtime */
export function parseOptions(commandLine: readonly string[]): Options {
  const values = readOptions(commandLine, { runtime: "string", table: "string" });
  return {
    quick: values.quick,
    jsonFile: values.json,
    runtimes: readChoices("--runtime", values.runtime, ["node", "workerd"]),
    table: values.table,
  };
}

import { readChoices, readOptions } from "../../scripts/runner/usage.ts";
import type { RuntimeName } from "./runtimes/runtime.ts";

/** What the command line asks for. */
export interface Options {
  readonly quick: boolean;
  /** Where the result goes as JSON; undefined for the terminal only. */
  readonly jsonFile: string | undefined;
  readonly runtimes: readonly RuntimeName[];
  /** The only table to measure; undefined for all of them, and for what is not about a table. */
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

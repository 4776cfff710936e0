import { parseArgs } from "node:util";
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

/** @throws for an option that does not exist, or a runtime that is neither of the two. */
export function parseOptions(commandLine: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...commandLine],
    options: {
      quick: { type: "boolean", default: false },
      json: { type: "string" },
      runtime: { type: "string" },
      table: { type: "string" },
    },
  });
  const { runtime } = values;
  if (runtime !== undefined && runtime !== "node" && runtime !== "workerd") {
    throw new Error(
      `--runtime is "${runtime}"; it may be node or workerd, or be left out for both.`,
    );
  }
  return {
    quick: values.quick,
    jsonFile: values.json,
    runtimes: runtime === undefined ? ["node", "workerd"] : [runtime],
    table: values.table,
  };
}

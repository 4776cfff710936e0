import { readChoices, readCount, readOptions } from "../../scripts/runner/usage.ts";
import { ours } from "../support/report.ts";
import { type ApplicationName, applicationNames } from "./applications.ts";
import { type RuntimeName, runtimeNames } from "./runtimes/runtime.ts";

/** Parsed command line; an omitted filter lists all values. */
export interface Options {
  readonly quick: boolean;
  /** Output file for the result as JSON; undefined prints to the terminal only. */
  readonly jsonFile: string | undefined;
  readonly runtimes: readonly RuntimeName[];
  readonly applications: readonly ApplicationName[];
  /** True to run Espalier without peers, which then need not be installed. */
  readonly own: boolean;
  /** Frameworks to measure; undefined for all. */
  readonly subjects: readonly string[] | undefined;
  /** Number of requests of the memory benchmark. */
  readonly requests: number;
}

/** @throws UsageError for an unknown option, runtime or application */
export function parseOptions(
  commandLine: readonly string[],
  defaults: { readonly runtimes?: readonly RuntimeName[] } = {},
): Options {
  const values = readOptions(commandLine, {
    runtime: "string",
    app: "string",
    own: "boolean",
    subject: "string",
    requests: "string",
  });
  return {
    quick: values.quick,
    jsonFile: values.json,
    runtimes: readChoices("--runtime", values.runtime, defaults.runtimes ?? runtimeNames),
    applications: readChoices("--app", values.app, applicationNames),
    own: values.own,
    subjects: values.own ? [ours] : values.subject?.split(","),
    requests: readCount("--requests", values.requests, 1_000_000),
  };
}

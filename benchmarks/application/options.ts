import { readChoices, readCount, readOptions } from "../../scripts/runner/usage.ts";
import { ours } from "../support/report.ts";
import { type ApplicationName, applicationNames } from "./applications.ts";
import { type RuntimeName, runtimeNames } from "./runtimes/runtime.ts";

/** What the command line asks for; each filter is a list of all where it is left out. */
export interface Options {
  readonly quick: boolean;
  /** Where the result goes as JSON; undefined for the terminal only. */
  readonly jsonFile: string | undefined;
  readonly runtimes: readonly RuntimeName[];
  readonly applications: readonly ApplicationName[];
  /** Whether ours runs without any peer, which then need not be installed. */
  readonly own: boolean;
  /** The only frameworks to measure; undefined for all. */
  readonly subjects: readonly string[] | undefined;
  /** How many requests the memory benchmark sends. */
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

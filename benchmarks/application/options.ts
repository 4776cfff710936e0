import { parseArgs } from "node:util";
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

/** @throws for an option that does not exist, and for a runtime or application that does not. */
export function parseOptions(
  commandLine: readonly string[],
  defaults: { readonly runtimes?: readonly RuntimeName[] } = {},
): Options {
  const { values } = parseArgs({
    args: [...commandLine],
    options: {
      quick: { type: "boolean", default: false },
      json: { type: "string" },
      runtime: { type: "string" },
      app: { type: "string" },
      own: { type: "boolean", default: false },
      subject: { type: "string" },
      requests: { type: "string", default: "1000000" },
    },
  });
  return {
    quick: values.quick,
    jsonFile: values.json,
    runtimes: chosen("--runtime", values.runtime, defaults.runtimes ?? runtimeNames),
    applications: chosen("--app", values.app, applicationNames),
    own: values.own,
    subjects: values.own ? [ours] : values.subject?.split(","),
    requests: Number(values.requests),
  };
}

function chosen<Name extends string>(
  option: string,
  text: string | undefined,
  all: readonly Name[],
): readonly Name[] {
  if (text === undefined) return all;
  return text.split(",").map((name) => {
    const found = all.find((candidate) => candidate === name);
    if (found === undefined) throw new Error(`${option} is "${name}"; there is ${all.join(", ")}.`);
    return found;
  });
}

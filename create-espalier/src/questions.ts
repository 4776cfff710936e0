import { basename, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { type CANCEL_SYMBOL, isCancel, multiselect, select, text } from "@clack/prompts";
import {
  defaults,
  type Feature,
  features,
  featureTitles,
  type Platform,
  platforms,
  platformTitles,
} from "./choices.ts";
import { problemOfName } from "./package-name.ts";

/** Thrown if a prompt is cancelled. */
export class Cancelled extends Error {
  override readonly name: string = "Cancelled";
}

/** Streams of the prompts; default: those of the process. */
export interface Terminal {
  readonly input?: Readable;
  readonly output?: Writable;
}

/** Prompts for the project's folder. */
export async function askFolder(terminal: Terminal): Promise<string> {
  const answer = await text({
    ...terminal,
    message: "Where should the project be created?",
    placeholder: defaults.folder,
    defaultValue: defaults.folder,
    validate: (folder) => (folder ? problemOfName(basename(resolve(folder))) : undefined),
  });
  return answered(answer);
}

/** Prompts for the platform. */
export async function askPlatform(terminal: Terminal): Promise<Platform> {
  const options = platforms.map((value) => ({ value, label: platformTitles[value] }));
  return answered(await select({ ...terminal, message: "Which platform?", options }));
}

/** Prompts for the features. */
export async function askFeatures(terminal: Terminal): Promise<readonly Feature[]> {
  const answer = await multiselect({
    ...terminal,
    message: "Which features?",
    options: features.map((value) => ({ value, label: featureTitles[value] })),
    initialValues: defaults.features,
    required: false,
  });
  return answered(answer);
}

function answered<Value>(answer: Value | typeof CANCEL_SYMBOL): Value {
  if (isCancel(answer)) throw new Cancelled("Cancelled; nothing was written.");
  return answer;
}

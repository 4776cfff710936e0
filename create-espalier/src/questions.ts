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

/** Thrown when somebody leaves instead of answering. */
export class Cancelled extends Error {
  override readonly name: string = "Cancelled";
}

/** Where the keys come from, and where the questions are shown; the terminal when not given. */
export interface Terminal {
  readonly input?: Readable;
  readonly output?: Writable;
}

/** Asks where to write the project. */
export async function askFolder(terminal: Terminal): Promise<string> {
  const answer = await text({
    ...terminal,
    message: "What is it called?",
    placeholder: defaults.folder,
    defaultValue: defaults.folder,
    validate: (folder) => (folder ? problemOfName(basename(resolve(folder))) : undefined),
  });
  return answered(answer);
}

/** Asks where the application runs. */
export async function askPlatform(terminal: Terminal): Promise<Platform> {
  const options = platforms.map((value) => ({ value, label: platformTitles[value] }));
  return answered(await select({ ...terminal, message: "Where does it run?", options }));
}

/** Asks what the application has from the start. */
export async function askFeatures(terminal: Terminal): Promise<readonly Feature[]> {
  const answer = await multiselect({
    ...terminal,
    message: "What does it need?",
    options: features.map((value) => ({ value, label: featureTitles[value] })),
    initialValues: defaults.features,
    required: false,
  });
  return answered(answer);
}

function answered<Value>(answer: Value | typeof CANCEL_SYMBOL): Value {
  if (isCancel(answer)) throw new Cancelled("Nothing was written.");
  return answer;
}

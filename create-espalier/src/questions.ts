import { basename, resolve } from "node:path";
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

/** Asks where to write the project. */
export async function askFolder(): Promise<string> {
  const answer = await text({
    message: "What is it called?",
    placeholder: defaults.folder,
    defaultValue: defaults.folder,
    validate: (folder) => (folder ? problemOfName(basename(resolve(folder))) : undefined),
  });
  return answered(answer);
}

/** Asks where the application runs. */
export async function askPlatform(): Promise<Platform> {
  const options = platforms.map((value) => ({ value, label: platformTitles[value] }));
  return answered(await select({ message: "Where does it run?", options }));
}

/** Asks what the application has from the start. */
export async function askFeatures(): Promise<readonly Feature[]> {
  const answer = await multiselect({
    message: "What does it need? (space chooses, return goes on)",
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

import { relative } from "node:path";
import type { Application } from "../../application/application.ts";
import { keepLogsOutOfOutput } from "../output.ts";
import { readWranglerConfig, type WranglerConfig } from "../wrangler/read-config.ts";
import { readVariables } from "../wrangler/read-variables.ts";
import { findEntry } from "./entry-candidates.ts";
import { findApplication } from "./find-application.ts";
import { importEntry, type ModuleExports } from "./import-entry.ts";

/** An application, and where it was found. */
export interface LoadedApplication {
  readonly application: Application;
  /** From the folder that the command runs in. */
  readonly file: string;
  readonly exports: ModuleExports;
}

/**
 * Imports the application of a project, with the variables that wrangler would give it.
 *
 * @param given the file, from `folder`; undefined looks for it
 * @param config wrangler's, for `main` and variables; default: the folder's
 * @throws CommandError that says what stands in the way
 */
export async function loadApplication(
  folder: string,
  given: string | undefined,
  config: WranglerConfig | undefined = readWranglerConfig(folder),
): Promise<LoadedApplication> {
  const entry = findEntry(folder, given, config?.main);
  keepLogsOutOfOutput();
  for (const [name, value] of Object.entries(readVariables(folder, config)))
    process.env[name] ??= value;
  const exports = await importEntry(entry);
  const file = relative(folder, entry);
  return { application: await findApplication(exports, file), file, exports };
}

/** Boots without letting a failure through: what is missing here may be there in production. */
export async function bootProblem(application: Application): Promise<string | undefined> {
  try {
    await application.boot();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Lets plugins release what they took; one that never ends is not waited for. */
export async function release(application: Application): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, 3000).unref());
  await Promise.race([application.stop().catch(() => {}), patience]);
}

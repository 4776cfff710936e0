import { relative } from "node:path";
import type { Application } from "../../application/application.ts";
import { keepLogsOutOfOutput } from "../output.ts";
import { readWranglerConfig, type WranglerConfig } from "../wrangler/read-config.ts";
import { readVariables } from "../wrangler/read-variables.ts";
import { findEntry } from "./entry-candidates.ts";
import { findApplication } from "./find-application.ts";
import { importEntry, type ModuleExports } from "./import-entry.ts";

/** A loaded application and its module. */
export interface LoadedApplication {
  readonly application: Application;
  /** Path relative to the working directory of the command. */
  readonly file: string;
  readonly exports: ModuleExports;
}

/**
 * Imports the application of a project, with the environment variables that wrangler would set.
 *
 * @param given the file, relative to `folder`; undefined searches for it
 * @param config wrangler's configuration, for `main` and variables; default: that of `folder`
 * @throws CommandError when the application cannot be found or imported
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

/** Boots and returns a failure as a message: configuration missing here may exist in production. */
export async function bootProblem(application: Application): Promise<string | undefined> {
  try {
    await application.boot();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Stops the application so that plugins release their resources; waits three seconds at most. */
export async function release(application: Application): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, 3000).unref());
  await Promise.race([application.stop().catch(() => {}), patience]);
}

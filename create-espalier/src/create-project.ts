import { existsSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import colors from "picocolors";
import type { Arguments } from "./arguments.ts";
import { defaults, type Project } from "./choices.ts";
import { commandsOf, packageManagerOf } from "./package-managers.ts";
import { checkName } from "./package-name.ts";
import { projectFiles } from "./project-files.ts";
import { askFeatures, askFolder, askPlatform, type Terminal } from "./questions.ts";
import { commitFiles, install, makeRepository } from "./run-commands.ts";
import { checkFolder, writeFiles } from "./target-folder.ts";

/** Environment of the command. */
export interface Surroundings {
  /** Version of this command, and so of the framework. */
  readonly version: string;
  /** The interactive terminal for prompts; undefined without one. */
  readonly terminal: Terminal | undefined;
  /** `npm_config_user_agent`. */
  readonly userAgent: string | undefined;
  /** Prints a line. */
  print(line: string): void;
}

/**
 * Prompts for missing values, writes the project, installs its dependencies, and prints the next steps.
 *
 * @returns the exit code: 1 if the project was written but the installation failed
 * @throws UsageError before anything is written; Cancelled
 */
export async function createProject(
  given: Arguments,
  { version, terminal, userAgent, print }: Surroundings,
): Promise<number> {
  const asked = given.yes ? undefined : terminal;
  const shown = given.directory ?? (asked ? await askFolder(asked) : defaults.folder);
  const folder = resolve(shown);
  checkFolder(folder, given.force);
  const platform = given.platform ?? (asked ? await askPlatform(asked) : defaults.platform);
  const name = given.name ?? basename(folder);
  checkName(name, platform);
  const features = given.features ?? (asked ? await askFeatures(asked) : defaults.features);
  const packageManager = given.packageManager ?? packageManagerOf(userAgent);
  const espalier = dependencyOn(given.espalier ?? `^${version}`);
  const project = { name, platform, features: new Set(features), packageManager, espalier };

  writeFiles(folder, projectFiles(project));
  print(`${colors.green("✓")} Created ${name} in ${folder}`);
  const repository = given.git ? makeRepository(folder) : undefined;
  if (repository === "failed") print("  git is not installed: no repository was initialised.");
  const isInstalled = given.install && install(folder, packageManager);
  // After the installation, so that the commit has the lock file.
  if (repository === "created" && !commitFiles(folder)) {
    print("  The files are not committed: set user.name and user.email with git config.");
  }
  if (given.install && !isInstalled) {
    const command = commandsOf[packageManager].install;
    print(
      colors.red(
        `✗ ${command} failed. The project is complete; run the command again in its directory.`,
      ),
    );
  }
  for (const line of nextSteps(project, folder, isInstalled)) print(line);
  return given.install && !isInstalled ? 1 : 0;
}

/** Resolves a tarball's path, which is relative to the current folder. */
function dependencyOn(espalier: string): string {
  return existsSync(espalier) ? `file:${resolve(espalier)}` : espalier;
}

function nextSteps(project: Project, folder: string, isInstalled: boolean): string[] {
  const { install, run } = commandsOf[project.packageManager];
  const path = relative(process.cwd(), folder);
  const steps = [
    ...(path === "" ? [] : [`cd ${/\s/.test(path) ? `"${path}"` : path}`]),
    ...(isInstalled ? [] : [install]),
    `${run} dev`,
    `${run} test`,
    ...(project.platform === "cloudflare" ? [`${run} deploy`] : []),
  ];
  return ["", ...steps.map((step) => `  ${colors.cyan(step)}`), ""];
}

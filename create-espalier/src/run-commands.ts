import { spawnSync } from "node:child_process";
import type { PackageManager } from "./choices.ts";
import { commandsOf } from "./package-managers.ts";

/** Installs the dependencies, showing the package manager's output. Returns false on failure. */
export function install(folder: string, packageManager: PackageManager): boolean {
  const [command = "", ...words] = commandsOf[packageManager].install.split(" ");
  // On Windows, package managers are scripts and require a shell.
  const shell = process.platform === "win32";
  // In continuous integration, Yarn 2 and later refuse to create the lockfile, which a new project lacks.
  const env = { ...process.env, YARN_ENABLE_IMMUTABLE_INSTALLS: "false" };
  return spawnSync(command, words, { cwd: folder, stdio: "inherit", shell, env }).status === 0;
}

/** Outcome of {@link makeRepository}: nothing is created inside an existing one. */
export type Repository = "created" | "existing" | "failed";

/** Initialises a git repository; fails without git. */
export function makeRepository(folder: string): Repository {
  if (git(folder, "rev-parse", "--is-inside-work-tree")) return "existing";
  return git(folder, "init") ? "created" : "failed";
}

/** Commits all files. Returns false if that fails, as it does before git knows the user's name. */
export function commitFiles(folder: string): boolean {
  return git(folder, "add", "--all") && git(folder, "commit", "--message", "Initial commit");
}

function git(folder: string, ...words: string[]): boolean {
  return spawnSync("git", words, { cwd: folder, stdio: "ignore" }).status === 0;
}

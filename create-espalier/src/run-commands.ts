import { spawnSync } from "node:child_process";
import type { PackageManager } from "./choices.ts";
import { commandsOf } from "./package-managers.ts";

/** Installs the dependencies, showing the package manager's output. Returns false on failure. */
export function install(folder: string, packageManager: PackageManager): boolean {
  const [command = "", ...words] = commandsOf[packageManager].install.split(" ");
  // On Windows, package managers are scripts and require a shell.
  const shell = process.platform === "win32";
  return spawnSync(command, words, { cwd: folder, stdio: "inherit", shell }).status === 0;
}

/** Initialises a git repository unless the folder is inside one. Returns false without git. */
export function makeRepository(folder: string): boolean {
  const git = (...words: string[]): boolean =>
    spawnSync("git", words, { cwd: folder, stdio: "ignore" }).status === 0;
  return git("rev-parse", "--is-inside-work-tree") || git("init");
}

import { spawnSync } from "node:child_process";
import type { PackageManager } from "./choices.ts";
import { commandsOf } from "./package-managers.ts";

/** Installs the dependencies, and shows what the package manager says. False when it failed. */
export function install(folder: string, packageManager: PackageManager): boolean {
  const [command = "", ...words] = commandsOf[packageManager].install.split(" ");
  // On Windows package managers are scripts, which only a shell runs.
  const shell = process.platform === "win32";
  return spawnSync(command, words, { cwd: folder, stdio: "inherit", shell }).status === 0;
}

/** Makes the folder a git repository. False without git; one that it is part of already is enough. */
export function makeRepository(folder: string): boolean {
  const git = (...words: string[]): boolean =>
    spawnSync("git", words, { cwd: folder, stdio: "ignore" }).status === 0;
  return git("rev-parse", "--is-inside-work-tree") || git("init");
}

import { mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { runCommand } from "./run-command.mjs";

/** A package manager, as a project uses it. */
export interface Manager {
  /** Value of the starter's `--package-manager`. */
  readonly name: string;
  /** Words before the name of a script. */
  readonly run: readonly [string, ...string[]];
  /** Words between a script and its arguments. */
  readonly separator: readonly string[];
  /** Version of the package that has it; undefined for one that is installed already. */
  readonly package?: string;
  /** True if it installs packages from registries alone, not from tarballs. */
  readonly isForRegistries?: boolean;
}

/** Package managers by name; Yarn 1 and 4 have the same command. */
export const managers: Readonly<Record<string, Manager>> = {
  npm: { name: "npm", run: ["npm", "run"], separator: ["--"] },
  pnpm: { name: "pnpm", run: ["pnpm", "run"], separator: [], package: "pnpm@10" },
  yarn: { name: "yarn", run: ["yarn", "run"], separator: [], package: "yarn@1" },
  "yarn-4": { name: "yarn", run: ["yarn", "run"], separator: [], package: "@yarnpkg/cli-dist@4" },
  bun: { name: "bun", run: ["bun", "run"], separator: [] },
  deno: { name: "deno", run: ["deno", "task"], separator: [], isForRegistries: true },
};

/**
 * Installs package managers that are packages themselves.
 *
 * @param path the `PATH` without them
 * @returns the `PATH` for each of them, by name
 */
export async function installManagers(
  names: readonly string[],
  folder: string,
  path: string,
): Promise<ReadonlyMap<string, string>> {
  const paths = new Map<string, string>();
  for (const name of names) {
    const wanted = managers[name]?.package;
    const home = join(folder, "managers", name);
    if (wanted !== undefined) {
      await mkdir(home, { recursive: true });
      await runCommand(home, "npm", [
        "install",
        "--prefix",
        home,
        "--no-audit",
        "--no-fund",
        wanted,
      ]);
    }
    const bin = join(home, "node_modules/.bin");
    paths.set(name, wanted === undefined ? path : [bin, path].join(delimiter));
  }
  return paths;
}

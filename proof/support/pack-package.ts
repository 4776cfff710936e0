import { join } from "node:path";
import { runCommand } from "../starter/run-command.mjs";

/** Packs a package as it would be published, and returns the path of its tarball. */
export async function packPackage(source: string, folder: string): Promise<string> {
  const flags = ["--silent", "--ignore-scripts", "--pack-destination", folder];
  const output: string = await runCommand(source, "npm", ["pack", ...flags]);
  return join(folder, output.trim().split("\n").at(-1) ?? "");
}

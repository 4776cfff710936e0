import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { packageSources } from "./entry.ts";
import { listFiles } from "./list-files.ts";
import { root } from "./root.ts";

/** A file of each pass of the bundler: an interrupted build lacks the later ones. */
const outputs = ["dist/index.js", "dist/index.d.ts", "dist/cli/espalier.js"];

/** Builds the package unless `dist` is newer than all of its sources. Exits if that fails. */
export function ensureBuild(): void {
  if (isBuilt()) return;
  console.error("dist is missing or older than its sources: npm run build ...");
  const rollup = "node_modules/rollup/dist/bin/rollup";
  const { status } = spawnSync(process.execPath, [rollup, "-c", "--silent"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0) process.exit(status ?? 1);
}

function isBuilt(): boolean {
  const modifiedMs = (file: string): number => statSync(join(root, file)).mtimeMs;
  if (!outputs.every((file) => existsSync(join(root, file)))) return false;
  const oldestOutput = Math.min(...outputs.map(modifiedMs));
  return listFiles([...packageSources, "package.json", "tsconfig.json"]).every(
    (file) => modifiedMs(file) < oldestOutput,
  );
}

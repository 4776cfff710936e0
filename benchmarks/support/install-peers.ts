import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("..", import.meta.url));

/**
 * Installs the peers from their lockfile into `benchmarks/node_modules`, unless installed.
 *
 * A quick run skips GitHub's OpenAPI document: 390 MB for one table.
 * @throws when npm fails.
 */
export function installPeers(quick: boolean): void {
  const wanted = quick ? "fastify" : "@octokit/openapi";
  if (existsSync(`${folder}node_modules/${wanted}`)) return;
  console.log("Installing peers (benchmarks/package-lock.json) ...");
  const omit = quick ? ["--omit=optional"] : [];
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const { status } = spawnSync(
    npm,
    ["ci", "--no-audit", "--no-fund", "--prefix", folder, ...omit],
    {
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  if (status !== 0) throw new Error(`npm ci --prefix benchmarks exited with code ${status}.`);
}

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("..", import.meta.url));

/**
 * Installs the peers from their lockfile into `benchmarks/node_modules`, unless they are there.
 *
 * A quick run leaves out GitHub's API description: 390 MB on the disk for one table.
 * @throws when npm fails.
 */
export function installPeers(quick: boolean): void {
  const wanted = quick ? "fastify" : "@octokit/openapi";
  if (existsSync(`${folder}node_modules/${wanted}`)) return;
  console.log("Installing what is compared with (benchmarks/package-lock.json) ...");
  const omit = quick ? ["--omit=optional"] : [];
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const { status } = spawnSync(
    npm,
    ["ci", "--no-audit", "--no-fund", "--prefix", folder, ...omit],
    {
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  if (status !== 0) throw new Error(`npm ci --prefix benchmarks failed (${status}).`);
}

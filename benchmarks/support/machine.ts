import { readFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";

/** How many processes the machine was running or wanted to run, over the last minute. */
export function loadOfLastMinute(): number {
  return Number((loadavg()[0] ?? 0).toFixed(2));
}

/**
 * What the numbers depend on; nothing that names the machine or its folders. A benchmark itself is
 * a load of 1: more than that at its beginning or end, and others disturbed it.
 */
export function describeMachine(loadBefore: number): Record<string, string | number> {
  const processors = cpus();
  return {
    platform: process.platform,
    architecture: process.arch,
    processor: processors[0]?.model ?? "unknown",
    processors: processors.length,
    loadBefore,
    loadAfter: loadOfLastMinute(),
    memoryGib: Math.round(totalmem() / 2 ** 30),
  };
}

/** The versions as installed: of the runtimes, of what bundles, and of the peers that are there. */
export function describeVersions(): Record<string, string> {
  const { dependencies } = readJson("../package.json") as { dependencies: Record<string, string> };
  const versions: Record<string, string> = {
    espalier: versionIn("../.."),
    node: process.versions.node,
    v8: process.versions.v8,
    workerd: versionIn("../../node_modules/workerd"),
    esbuild: versionIn("../../node_modules/esbuild"),
    deno: versionIn("../../node_modules/deno"),
    bun: versionIn("../../node_modules/bun"),
  };
  for (const name of Object.keys(dependencies)) {
    versions[name] = versionIn(`../node_modules/${name}`);
  }
  return versions;
}

function versionIn(folder: string): string {
  try {
    return (readJson(`${folder}/package.json`) as { version: string }).version;
  } catch {
    return "not installed";
  }
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
}

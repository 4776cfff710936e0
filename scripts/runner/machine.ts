import { readFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { root } from "./root.ts";

/** Description of the machine of a run, without its name and folders. */
export interface Machine {
  readonly platform: string;
  readonly architecture: string;
  /** Model of the processor. */
  readonly processor: string;
  /** Number of processors. */
  readonly processors: number;
  /** One-minute load average. The run itself is a load of 1; more means interference by other processes. */
  readonly loadBefore: number;
  readonly loadAfter: number;
  readonly memoryGib: number;
}

/** Returns the average number of processes that ran or waited for a processor over the last minute. */
export function loadOfLastMinute(): number {
  return Number((loadavg()[0] ?? 0).toFixed(2));
}

/** Describes this machine at the end of a run. */
export function describeMachine(loadBefore: number): Machine {
  const processors = cpus();
  return {
    platform: process.platform,
    architecture: process.arch,
    processor: processors[0]?.model.trim() ?? "unknown",
    processors: processors.length,
    loadBefore,
    loadAfter: loadOfLastMinute(),
    memoryGib: Math.round(totalmem() / 2 ** 30),
  };
}

/** Returns the installed versions of the package, of the runtimes and of the bundler. */
export function describeVersions(): Record<string, string> {
  return {
    espalier: versionOf("."),
    node: process.versions.node,
    v8: process.versions.v8,
    ...Object.fromEntries(
      ["workerd", "esbuild", "deno", "bun"].map((name) => [
        name,
        versionOf(`node_modules/${name}`),
      ]),
    ),
  };
}

/** Returns the version in a folder's `package.json`; `not installed` if missing. */
export function versionOf(folder: string): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    return (manifest as { readonly version: string }).version; // of every installed package
  } catch {
    return "not installed";
  }
}

import { readFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";

/** One measured number. */
export interface Row {
  readonly case: string;
  readonly runtime: string;
  readonly subject: string;
  readonly value: number;
  readonly unit: "ns" | "ms" | "KiB" | "times";
  /** How many times less than Hono's default router it is; undefined where that was not measured. */
  readonly ratio: number | undefined;
  /** The quartiles of the samples whose median `value` is; equal to it for a single number. */
  readonly low: number;
  readonly high: number;
}

/** How ours stands in one case: above 1 it is faster, below 1 slower. */
export interface Comparison {
  readonly case: string;
  readonly runtime: string;
  readonly againstHono: number | undefined;
  readonly fastestPeer: string;
  readonly againstFastestPeer: number | undefined;
}

/** A router that is not measured, or is not right about everything, in some case. */
export interface Shortcoming {
  readonly case: string;
  readonly runtime: string;
  readonly subject: string;
  readonly measured: boolean;
  readonly reason: string;
}

/** A whole run, as `--json` writes it. */
export interface Result {
  readonly machine: Readonly<Record<string, string | number>>;
  readonly versions: Readonly<Record<string, string>>;
  readonly quick: boolean;
  readonly rows: readonly Row[];
  readonly comparisons: readonly Comparison[];
  readonly shortcomings: readonly Shortcoming[];
  readonly skipped: readonly string[];
}

/** How many processes the machine was running or wanted to run, over the last minute. */
export function loadOfLastMinute(): number {
  return Number((loadavg()[0] ?? 0).toFixed(2));
}

/**
 * What the numbers depend on; nothing that names the machine or its folders. The benchmark itself
 * is a load of 1: more than that at its beginning or end, and others disturbed it.
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

/** The versions as installed: of the runtimes, of what bundles, and of every peer. */
export function describeVersions(): Record<string, string> {
  const { dependencies } = readJson("../package.json") as { dependencies: Record<string, string> };
  const versions: Record<string, string> = {
    espalier: versionIn("../.."),
    node: process.versions.node,
    v8: process.versions.v8,
    workerd: versionIn("../../node_modules/workerd"),
    esbuild: versionIn("../../node_modules/esbuild"),
  };
  for (const name of Object.keys(dependencies)) {
    versions[name] = versionIn(`../node_modules/${name}`);
  }
  return versions;
}

function versionIn(folder: string): string {
  return (readJson(`${folder}/package.json`) as { version: string }).version;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
}

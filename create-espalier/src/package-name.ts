import type { Platform } from "./choices.ts";
import { UsageError } from "./usage-error.ts";
import { versions } from "./versions.ts";

/** Names of dependencies, and names reserved by npm. */
const taken = new Set(["espalier", "node_modules", "favicon.ico", ...Object.keys(versions)]);

/** A Worker's name is part of a host name, whose labels have at most 63 characters. */
const workerNameLimit = 63;
const packageNameLimit = 214;

/** Returns the problem of a package name, or undefined if it is valid. */
export function problemOfName(name: string, platform?: Platform): string | undefined {
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(name)) {
    return "The name must consist of lower-case letters, digits, hyphens, dots and underscores, and start with a letter or digit.";
  }
  if (taken.has(name)) return "The name is that of a dependency, or reserved by npm.";
  const limit = platform === "cloudflare" ? workerNameLimit : packageNameLimit;
  if (name.length > limit)
    return `The name must have at most ${limit} characters, got ${name.length}.`;
  return undefined;
}

/** @throws UsageError for an invalid package name, with a suggestion */
export function checkName(name: string, platform: Platform): void {
  const problem = problemOfName(name, platform);
  if (problem === undefined) return;
  throw new UsageError(
    `"${name}" is not a valid package name. ${problem} Try --name ${suggestName(name)}.`,
  );
}

/** Returns a similar, valid package name. */
function suggestName(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{Mark}/gu, "")
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, "")
    .slice(0, workerNameLimit);
  if (plain === "") return "my-app";
  return taken.has(plain) ? `my-${plain}` : plain;
}

/** Returns the name of the Worker: only letters, digits and hyphens. */
export function workerName(name: string): string {
  return name.replace(/[^a-z0-9-]+/g, "-").replace(/-+$/, "");
}

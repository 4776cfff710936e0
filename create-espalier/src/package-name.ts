import type { Platform } from "./choices.ts";
import { UsageError } from "./usage-error.ts";
import { versions } from "./versions.ts";

/** Names of packages that the project depends on or npm keeps for itself. */
const taken = new Set(["espalier", "node_modules", "favicon.ico", ...Object.keys(versions)]);

/** Workers have their name in a host name, whose labels are no longer. */
const workerNameLimit = 63;
const packageNameLimit = 214;

/** What is wrong with the name of a package; undefined when nothing is. */
export function problemOfName(name: string, platform?: Platform): string | undefined {
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(name)) {
    return "A name has lower-case letters, digits, hyphens, dots and underscores, and begins with a letter or digit.";
  }
  if (taken.has(name)) return "The project depends on a package of that name, or npm reserves it.";
  const limit = platform === "cloudflare" ? workerNameLimit : packageNameLimit;
  if (name.length > limit)
    return `A name has ${limit} characters at most; this has ${name.length}.`;
  return undefined;
}

/** @throws UsageError for a name that no package can have, with one that it can */
export function checkName(name: string, platform: Platform): void {
  const problem = problemOfName(name, platform);
  if (problem === undefined) return;
  throw new UsageError(
    `"${name}" cannot be the package's name. ${problem} Try --name ${suggestName(name)}.`,
  );
}

/** The nearest name that a package can have. */
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

/** The name of a Worker: letters, digits and hyphens alone. */
export function workerName(name: string): string {
  return name.replace(/[^a-z0-9-]+/g, "-").replace(/-+$/, "");
}

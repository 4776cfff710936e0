import { readFileSync } from "node:fs";
import { describeVersions, versionOf } from "../../scripts/runner/machine.ts";

/** Returns the installed versions of the runtimes, of the bundler and of the peers. */
export function describeAllVersions(): Record<string, string> {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const { dependencies } = manifest as { readonly dependencies: Readonly<Record<string, string>> };
  const peers = Object.keys(dependencies).map((name) => [
    name,
    versionOf(`benchmarks/node_modules/${name}`),
  ]);
  return { ...describeVersions(), ...Object.fromEntries(peers) };
}

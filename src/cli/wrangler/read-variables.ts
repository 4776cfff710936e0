import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import util from "node:util";
import type { WranglerConfig } from "./read-config.ts";

/**
 * Returns the string variables that `wrangler dev` would set: `vars` of its configuration, overridden by the
 * secrets in `.dev.vars`.
 */
export function readVariables(
  folder: string,
  config: WranglerConfig | undefined,
): Readonly<Record<string, string>> {
  const variables = new Map<string, string>();
  for (const [name, value] of Object.entries(config?.variables ?? {})) {
    if (typeof value === "string") variables.set(name, value);
  }
  const secrets = join(folder, ".dev.vars");
  if (existsSync(secrets)) {
    for (const [name, value] of Object.entries(util.parseEnv(readFileSync(secrets, "utf8")))) {
      if (value !== undefined) variables.set(name, value);
    }
  }
  return Object.fromEntries(variables);
}

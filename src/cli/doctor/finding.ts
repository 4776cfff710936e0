import { stringify as stringifyToml } from "smol-toml";
import type { ApplicationInspection } from "../../application/inspection.ts";
import type { ModuleExports } from "../loading/import-entry.ts";
import type { WranglerConfig } from "../wrangler/read-config.ts";

/** What one check of the doctor found. */
export interface Finding {
  /** An error does not work when deployed; a warning may be meant. */
  readonly level: "error" | "warning" | "good";
  readonly message: string;
  /** What to put into wrangler's configuration; left out when nothing is to be added. */
  readonly add?: Readonly<Record<string, unknown>>;
}

/** What is compared. */
export interface Patient {
  readonly config: WranglerConfig;
  readonly inspection: ApplicationInspection;
  /** Of the module that `main` names. */
  readonly exports: ModuleExports;
  readonly folder: string;
}

export function error(message: string, add?: Finding["add"]): Finding {
  return { level: "error", message, ...(add === undefined ? {} : { add }) };
}

export function warning(message: string, add?: Finding["add"]): Finding {
  return { level: "warning", message, ...(add === undefined ? {} : { add }) };
}

export function good(message: string): Finding {
  return { level: "good", message };
}

/** Lines to add, in the language of the file. */
export function linesToAdd(
  add: Readonly<Record<string, unknown>>,
  format: WranglerConfig["format"],
): string {
  if (format === "toml") return stringifyToml(add).trim();
  const object = JSON.stringify(add, null, 2);
  return object.slice(1, -1).replaceAll(/^ {2}/gm, "").trim();
}

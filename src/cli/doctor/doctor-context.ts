import { stringify as stringifyToml } from "smol-toml";
import type { ApplicationInspection } from "../../application/inspect.ts";
import { nearestNames } from "../../util/nearest-names.ts";
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
export interface DoctorContext {
  readonly config: WranglerConfig;
  readonly inspection: ApplicationInspection;
  /** Of the module that `main` names. */
  readonly exports: ModuleExports;
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

/** ` Did you mean "KV"?` when a name is near one of those there are, else an empty text. */
export function misspelling(name: string, there: readonly string[]): string {
  const hint = nearestNames(name, there);
  return hint.startsWith(" Did you mean") ? hint : "";
}

/**
 * Something that is looked for and is not there: what it was likely meant to be, or else the lines to add.
 */
export function missing(
  message: string,
  name: string,
  there: readonly string[],
  add: Finding["add"],
): Finding {
  const hint = misspelling(name, there);
  return hint === "" ? error(message, add) : error(`${message}${hint}`);
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

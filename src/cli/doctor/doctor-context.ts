import { stringify as stringifyToml } from "smol-toml";
import type { ApplicationInspection } from "../../application/inspect.ts";
import { nearestNames } from "../../util/nearest-names.ts";
import type { ModuleExports } from "../loading/import-entry.ts";
import type { WranglerConfig } from "../wrangler/read-config.ts";

/** Result of a doctor check. */
export interface Finding {
  /** An error fails when deployed; a warning may be intentional. */
  readonly level: "error" | "warning" | "good";
  readonly message: string;
  /** Fields to add to wrangler's configuration; absent if there is nothing to add. */
  readonly add?: Readonly<Record<string, unknown>>;
}

/** Input of the doctor checks. */
export interface DoctorContext {
  readonly config: WranglerConfig;
  readonly inspection: ApplicationInspection;
  /** Exports of the module that `main` names. */
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

/** Returns ` Did you mean "KV"?` if an existing name is similar, otherwise an empty string. */
export function misspelling(name: string, there: readonly string[]): string {
  const hint = nearestNames(name, there);
  return hint.startsWith(" Did you mean") ? hint : "";
}

/**
 * Reports a missing name: suggests a similar existing name, or the lines to add if none is similar.
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

/** Returns the fields that bind a Durable Object class of this Worker and create it. */
export function bindClass(
  config: WranglerConfig,
  name: string,
  className: string,
): NonNullable<Finding["add"]> {
  return {
    durable_objects: { bindings: [{ name, class_name: className }] },
    ...createClass(config, className, name.toLowerCase()),
  };
}

/**
 * Returns the fields that create a Durable Object class: an entry of `exports` if the configuration declares others
 * there, otherwise a migration.
 *
 * @param tag name of the migration
 */
export function createClass(
  { declaresClasses }: WranglerConfig,
  className: string,
  tag: string,
): NonNullable<Finding["add"]> {
  return declaresClasses
    ? { exports: { [className]: { type: "durable-object", storage: "sqlite" } } }
    : { migrations: [{ tag, new_sqlite_classes: [className] }] };
}

/** Formats the lines to add in the syntax of the file. */
export function linesToAdd(
  add: Readonly<Record<string, unknown>>,
  format: WranglerConfig["format"],
): string {
  if (format === "toml") return stringifyToml(add).trim();
  const object = JSON.stringify(add, null, 2);
  return object.slice(1, -1).replaceAll(/^ {2}/gm, "").trim();
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse as parseToml } from "smol-toml";
import stripJsonComments from "strip-json-comments";
import { CommandError } from "../command-error.ts";

/** An unvalidated table of a configuration file. */
export type Table = Readonly<Record<string, unknown>>;

/** Wrangler's configuration as read from the file. */
export interface WranglerFile {
  /** The file name, such as `wrangler.toml`. */
  readonly name: string;
  readonly format: "toml" | "json";
  readonly content: Table;
}

/** The file names that wrangler looks for, in its order of precedence. */
const names: readonly string[] = ["wrangler.json", "wrangler.jsonc", "wrangler.toml"];

/**
 * Reads wrangler's configuration file; returns undefined if the folder has none.
 *
 * @param given a file relative to the folder; default: one of the usual names
 * @throws CommandError when a given file is not there, or one cannot be parsed
 */
export function readWranglerFile(folder: string, given?: string): WranglerFile | undefined {
  const name = given ?? names.find((candidate) => existsSync(join(folder, candidate)));
  if (name === undefined) return undefined;
  const path = join(folder, name);
  if (!existsSync(path)) throw new CommandError(`File ${name} not found in ${folder}.`);
  const format = name.endsWith(".toml") ? "toml" : "json";
  const text = readFileSync(path, "utf8");
  try {
    const content: unknown =
      format === "toml"
        ? parseToml(text)
        : JSON.parse(stripJsonComments(text, { trailingCommas: true }));
    return { name, format, content: asTable(content) };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(`Cannot parse ${name}: ${message}`, { cause });
  }
}

/** Returns a table unchanged, and an empty table for any other value. */
export function asTable(value: unknown): Table {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Table)
    : {};
}

/** Returns the tables of a list, and an empty list for any other value. */
export function asTables(value: unknown): readonly Table[] {
  return Array.isArray(value) ? value.map(asTable) : [];
}

/** Returns a string unchanged, and undefined for any other value. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

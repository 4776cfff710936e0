import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse as parseToml } from "smol-toml";
import stripJsonComments from "strip-json-comments";
import { CommandError } from "../command-error.ts";

/** A table of a configuration, of which nothing is known yet. */
export type Table = Readonly<Record<string, unknown>>;

/** Wrangler's configuration as it stands in the file. */
export interface WranglerFile {
  /** Its name: `wrangler.toml`. */
  readonly name: string;
  readonly format: "toml" | "json";
  readonly content: Table;
}

/** The names wrangler looks for, in its order. */
const names: readonly string[] = ["wrangler.json", "wrangler.jsonc", "wrangler.toml"];

/**
 * Reads wrangler's configuration; undefined when the folder has none.
 *
 * @param given another file than the usual ones, from the folder
 * @throws CommandError when a given file is not there, or one cannot be parsed
 */
export function readWranglerFile(folder: string, given?: string): WranglerFile | undefined {
  const name = given ?? names.find((candidate) => existsSync(join(folder, candidate)));
  if (name === undefined) return undefined;
  const path = join(folder, name);
  if (!existsSync(path)) throw new CommandError(`There is no file ${name} in ${folder}.`);
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
    throw new CommandError(`${name} cannot be read: ${message}`, { cause });
  }
}

/** A table; an empty one for what is none. */
export function asTable(value: unknown): Table {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Table)
    : {};
}

/** The tables of a list; an empty list for what is none. */
export function asTables(value: unknown): readonly Table[] {
  return Array.isArray(value) ? value.map(asTable) : [];
}

/** A text; undefined for what is none. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

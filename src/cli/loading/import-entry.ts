import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { CommandError } from "../command-error.ts";
import { bundleEntry, findEsbuild } from "./bundle-entry.ts";
import { registerStandIns } from "./platform-stand-ins.ts";

/** Exports of a module, by name. */
export type ModuleExports = Readonly<Record<string, unknown>>;

/**
 * Imports an application file, TypeScript or JavaScript: through esbuild if the project has it, which
 * supports the same syntax as wrangler and Vite, otherwise with Node itself.
 *
 * @throws CommandError when the file cannot be read, or throws while it is imported
 */
export async function importEntry(entry: string): Promise<ModuleExports> {
  process.setSourceMapsEnabled(true);
  registerStandIns();
  const esbuild = await findEsbuild(entry);
  if (esbuild !== undefined) {
    // Written beside package.json, so that packages and `#imports` resolve as for the original files.
    const folder = packageFolder(dirname(entry));
    return importText(entry, await bundleEntry(esbuild, entry, folder), folder);
  }
  if (/\.[cm]?tsx?$/.test(entry) && !nodeReadsTypeScript()) {
    throw new CommandError(
      `${show(entry)} is TypeScript, which Node ${process.versions.node} does not support. ` +
        "Install esbuild (npm install --save-dev esbuild), or use Node 22.18 or newer.",
    );
  }
  return importFile(entry, entry);
}

async function importText(entry: string, text: string, folder: string): Promise<ModuleExports> {
  const file = join(folder, `.espalier-${process.pid}-${Date.now()}.mjs`);
  try {
    await writeFile(file, text, { flag: "wx" });
  } catch (cause) {
    throw new CommandError(
      `Cannot write ${file}: ${messageOf(cause)}. The bundled application is imported from it.`,
      { cause },
    );
  }
  try {
    return await importFile(file, entry);
  } finally {
    await rm(file, { force: true });
  }
}

async function importFile(file: string, entry: string): Promise<ModuleExports> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (cause) {
    const hint = hintFor(Reflect.get(Object(cause), "code"), file === entry);
    const details = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    throw new CommandError(`Importing ${show(entry)} failed.${hint}\n${details}`, {
      cause,
    });
  }
}

function hintFor(code: unknown, isReadByNode: boolean): string {
  if (code === "ERR_APPLICATION_PORT_IN_USE" || code === "EADDRINUSE") {
    return "\nImporting it starts a server. Move `app.listen()` to a separate file.";
  }
  const isBeyondNode =
    code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX" || code === "ERR_MODULE_NOT_FOUND";
  return isReadByNode && isBeyondNode
    ? "\nIt was loaded by Node directly. With esbuild (npm install --save-dev esbuild) it is bundled as by " +
        "wrangler and Vite, which supports enums, imports without extension, and paths of tsconfig.json."
    : "";
}

function packageFolder(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  const parent = dirname(folder);
  return parent === folder ? process.cwd() : packageFolder(parent);
}

function nodeReadsTypeScript(): boolean {
  const { typescript } = process.features;
  return typescript === "strip" || typescript === "transform";
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const show = (file: string): string => relative(process.cwd(), file) || file;

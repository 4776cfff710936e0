import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import stripJsonComments from "strip-json-comments";
import { CommandError } from "../command-error.ts";
import { asTable, type Table } from "../wrangler/config-file.ts";

/** Conventions of the project that a new file is written to. */
export interface Project {
  readonly folder: string;
  /** The source folder: `src`, or an empty string for the project folder itself. */
  readonly sources: string;
  /** Extension of relative imports. */
  readonly importExtension: ".ts" | ".js";
  /** The test runner of the project. */
  readonly testRunner: "vitest" | "node";
}

/** Detects the conventions of a project. @throws CommandError when package.json is missing */
export function readProject(folder: string): Project {
  const packageFile = readJson(join(folder, "package.json"));
  if (packageFile === undefined) {
    throw new CommandError(
      `No package.json found in ${folder}. Run this command in the folder of a project, ` +
        "or create one: npm create espalier@latest.",
    );
  }
  const dependencies = {
    ...asTable(packageFile["dependencies"]),
    ...asTable(packageFile["devDependencies"]),
  };
  return {
    folder,
    sources: existsSync(join(folder, "src")) ? "src" : "",
    importExtension: importExtension(folder),
    testRunner: "vitest" in dependencies ? "vitest" : "node",
  };
}

/** Returns `.ts`, as Node, Deno and Bun require, unless tsconfig.json does not allow it. */
function importExtension(folder: string): Project["importExtension"] {
  const tsconfig = readJson(join(folder, "tsconfig.json"));
  if (tsconfig === undefined) return ".ts";
  const options = asTable(tsconfig["compilerOptions"]);
  const isAllowed =
    options["allowImportingTsExtensions"] === true ||
    options["rewriteRelativeImportExtensions"] === true;
  return isAllowed ? ".ts" : ".js";
}

function readJson(file: string): Table | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const text = stripJsonComments(readFileSync(file, "utf8"), { trailingCommas: true });
    return asTable(JSON.parse(text));
  } catch (cause) {
    throw new CommandError(`${file} is not JSON: ${String(cause)}`, { cause });
  }
}

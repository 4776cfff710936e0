import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import stripJsonComments from "strip-json-comments";
import { CommandError } from "../command-error.ts";
import { asTable, type Table } from "../wrangler/config-file.ts";

/** How the project that gets a new file does things. */
export interface Project {
  readonly folder: string;
  /** Where its sources are: `src`, or an empty text for the folder itself. */
  readonly sources: string;
  /** What imports of its own files end with. */
  readonly importExtension: ".ts" | ".js";
  /** What runs its tests. */
  readonly testRunner: "vitest" | "node";
}

/** Looks at a project. @throws CommandError where there is no package.json */
export function readProject(folder: string): Project {
  const packageFile = readJson(join(folder, "package.json"));
  if (packageFile === undefined) {
    throw new CommandError(
      `There is no package.json in ${folder}. Run this in the folder of a project, ` +
        "or begin one: npm create espalier@latest.",
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

/** Node, Deno and Bun want `.ts`; the compiler takes it where it is told to. */
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

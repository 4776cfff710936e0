import { existsSync, readFileSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { CommandError } from "../command-error.ts";

const usualNames: readonly string[] = [
  "src/app",
  "src/worker",
  "src/index",
  "app",
  "worker",
  "index",
];
const extensions: readonly string[] = [".ts", ".mts", ".tsx", ".js", ".mjs"];

/**
 * Finds the application's entry file: the given one, else `main` of wrangler's configuration, else the first
 * of the default names, else `main` of package.json.
 *
 * @throws CommandError when no entry file exists
 */
export function findEntry(
  folder: string,
  given: string | undefined,
  wranglerMain: string | undefined,
): string {
  if (given !== undefined) {
    const file = resolve(folder, given);
    if (isFile(file)) return file;
    throw new CommandError(
      `File ${given} not found in ${folder}. Pass the file that exports the application.`,
    );
  }
  const candidates = [
    ...(wranglerMain === undefined ? [] : [wranglerMain]),
    ...usualNames.flatMap((name) => extensions.map((extension) => name + extension)),
    ...mainOfPackage(folder),
  ].map((name) => (isAbsolute(name) ? name : join(folder, name)));
  const found = candidates.find(isFile);
  if (found !== undefined) return found;
  throw new CommandError(
    `No application found in ${folder}: neither \`main\` of wrangler.toml or package.json nor one of ` +
      `${usualNames.map((name) => `${name}.ts`).join(", ")} is an existing file. ` +
      "Pass the file that exports it: espalier routes path/to/app.ts.",
  );
}

function mainOfPackage(folder: string): readonly string[] {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return [];
  try {
    const content: unknown = JSON.parse(readFileSync(file, "utf8"));
    const main =
      typeof content === "object" && content !== null ? Reflect.get(content, "main") : "";
    return typeof main === "string" && main !== "" ? [main] : [];
  } catch (cause) {
    throw new CommandError(`${file} is not JSON: ${String(cause)}`, { cause });
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

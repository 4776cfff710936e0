import { parseArgs } from "node:util";
import { nearestNames } from "../../src/util/nearest-names.ts";

/** Thrown for an invalid command line; only its message is printed, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Runs a program, and exits the process with code 2 for a `UsageError`. */
export async function reportUsage<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}

/** Options of a program by name, without the dashes. */
export type OptionTypes = Readonly<Record<string, "string" | "boolean">>;

/** Values of the options; `--quick` and `--json FILE` are added to those of the program. */
export type Options<Types extends OptionTypes> = {
  readonly [Name in keyof Types]: Types[Name] extends "boolean" ? boolean : string | undefined;
} & { readonly quick: boolean; readonly json: string | undefined };

/**
 * Reads a command line.
 *
 * @throws UsageError for an unknown option, a missing value, and an unexpected argument
 */
export function readOptions<Types extends OptionTypes>(
  args: readonly string[],
  types: Types,
): Options<Types> {
  const known: OptionTypes = { quick: "boolean", json: "string", ...types };
  const options = Object.fromEntries(
    Object.entries(known).map(([name, type]) => [
      name,
      type === "boolean" ? { type, default: false } : { type },
    ]),
  );
  const config = { args: [...args], options, allowPositionals: true } as const;
  for (const token of parseArgs({ ...config, strict: false, tokens: true }).tokens) {
    if (token.kind === "positional") {
      throw new UsageError(`Unexpected argument "${token.value}"; expected an option.`);
    }
    if (token.kind !== "option" || token.name in known) continue;
    const names = Object.keys(known).map((name) => `--${name}`);
    const { rawName } = token;
    throw new UsageError(`Unknown option "${rawName}".${nearestNames(rawName, names, 20)}`);
  }
  try {
    // Safe cast: `Options` is derived from `known`.
    return parseArgs(config).values as Options<Types>;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Reads a positive integer. @throws UsageError for anything else */
export function readCount(option: string, value: string | undefined, usual: number): number {
  const count = value === undefined ? usual : Number(value);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new UsageError(`The option ${option} must be a positive integer, got "${value}".`);
}

/** Reads names separated by commas, all by default. @throws UsageError for an unknown one */
export function readChoices<Name extends string>(
  option: string,
  value: string | undefined,
  all: readonly Name[],
  usual: readonly Name[] = all,
): readonly Name[] {
  return (
    value?.split(",").map((name) => {
      const found = all.find((candidate) => candidate === name);
      if (found !== undefined) return found;
      throw new UsageError(`The option ${option} must be of ${all.join(", ")}; got "${name}".`);
    }) ?? usual
  );
}

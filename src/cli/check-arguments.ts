import type { ArgDef, ArgsDef } from "citty";
import { nearestNames } from "../util/nearest-names.ts";
import { CommandError } from "./command-error.ts";

/**
 * Validates the arguments of a command: rejects unknown options, options without their value, and too many or
 * too few arguments. Otherwise a misspelt `--force` would be ignored silently.
 *
 * @throws CommandError
 */
export function checkArguments(
  command: string,
  rawArguments: readonly string[],
  definitions: ArgsDef,
): void {
  const options = new Map<string, ArgDef>();
  const positional: [string, ArgDef][] = [];
  for (const [name, definition] of Object.entries(definitions)) {
    if (definition.type === "positional") positional.push([name, definition]);
    else options.set(name, definition);
  }
  let given = 0;
  for (let index = 0; index < rawArguments.length; index++) {
    const argument = rawArguments[index] ?? "";
    if (!argument.startsWith("-")) {
      given += 1;
      continue;
    }
    const [name = "", value] = argument.replace(/^--?/, "").split("=", 2);
    const definition = options.get(name);
    if (definition === undefined || !argument.startsWith("--")) {
      const known = [...options.keys()].map((option) => `--${option}`);
      throw new CommandError(
        `Unknown option ${argument} of \`espalier ${command}\`.${nearestNames(argument, known)}`,
      );
    }
    if (definition.type !== "string" || value !== undefined) continue;
    const next = rawArguments[index + 1];
    if (next === undefined || next.startsWith("-")) {
      throw new CommandError(
        `--${name} requires a value: --${name} <${definition.valueHint ?? "text"}>.`,
      );
    }
    index += 1;
  }
  const missing = positional[given];
  if (missing?.[1].required === true) {
    const hint = `espalier ${command} <${missing[0]}>`;
    throw new CommandError(`\`espalier ${command}\` requires a ${missing[0]}: ${hint}.`);
  }
  if (given > positional.length) {
    throw new CommandError(
      `\`espalier ${command}\` takes ${positional.length} argument${positional.length === 1 ? "" : "s"}, ` +
        `got ${given}. See \`espalier ${command} --help\`.`,
    );
  }
}

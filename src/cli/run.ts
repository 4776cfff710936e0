import { stripVTControlCharacters } from "node:util";
import { type ArgsDef, type CommandDef, renderUsage, runCommand } from "citty";
import colors from "picocolors";
import packageJson from "../../package.json" with { type: "json" };
import { nearestNames } from "../util/nearest-names.ts";
import { checkArguments } from "./check-arguments.ts";
import { CommandError } from "./command-error.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { makeCommands } from "./commands/make.ts";
import { openApiCommand } from "./commands/openapi.ts";
import { routesCommand } from "./commands/routes.ts";
import { print, printNote } from "./output.ts";

/** Any command, without the types of its arguments. */
type AnyCommand = CommandDef<ArgsDef>;

const commands: Readonly<Record<string, AnyCommand>> = {
  routes: routesCommand as AnyCommand,
  openapi: openApiCommand as AnyCommand,
  doctor: doctorCommand as AnyCommand,
  ...makeCommands,
};

const main: AnyCommand = {
  meta: {
    name: "espalier",
    version: packageJson.version,
    description: "Inspects an Espalier application and generates code for it.",
  },
  subCommands: commands,
};

/** Runs the command line; resolves to the exit code: 0 for success, 1 for failure. */
export async function run(rawArguments: readonly string[]): Promise<number> {
  try {
    return await runOrFail(rawArguments);
  } catch (error) {
    printNote(`${colors.red("Error:")} ${messageOf(error)}`);
    return 1;
  }
}

async function runOrFail(rawArguments: readonly string[]): Promise<number> {
  const [name, ...rest] = rawArguments;
  if (name === undefined || isHelp(name) || name === "help") {
    await printUsage(await renderUsage(main));
    return 0;
  }
  if (name === "--version" || name === "-v") {
    await print(packageJson.version);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    const known = Object.keys(commands);
    throw new CommandError(
      `Unknown command "${name}".${nearestNames(name, known, known.length)} ` +
        "See `espalier --help`.",
    );
  }
  if (rest.some(isHelp)) {
    await printUsage(await renderUsage(command, main));
    return 0;
  }
  checkArguments(name, rest, (await command.args) as ArgsDef);
  const { result } = await runCommand(command, { rawArgs: [...rest] });
  return typeof result === "number" ? result : 0;
}

const isHelp = (argument: string): boolean => argument === "--help" || argument === "-h";

/** Strips colours if unsupported: citty colours usage even when stdout is not a TTY. */
function printUsage(text: string): Promise<void> {
  return print(colors.isColorSupported ? text : stripVTControlCharacters(text));
}

/** Returns only the message of a CLI error, and the stack of a user error. */
function messageOf(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

import { type ArgsDef, type CommandDef, defineCommand, parseArgs } from "citty";
import { nearestNames } from "../../src/util/nearest-names.ts";
import {
  defaults,
  type Feature,
  features,
  type PackageManager,
  type Platform,
  packageManagers,
  platforms,
} from "./choices.ts";
import { UsageError } from "./usage-error.ts";

/** Parsed command line; undefined for values that were not given. */
export interface Arguments {
  readonly directory: string | undefined;
  readonly name: string | undefined;
  readonly platform: Platform | undefined;
  readonly features: readonly Feature[] | undefined;
  readonly packageManager: PackageManager | undefined;
  readonly espalier: string | undefined;
  readonly install: boolean;
  readonly git: boolean;
  readonly yes: boolean;
  readonly force: boolean;
}

const definitions = {
  directory: {
    type: "positional",
    required: false,
    description: `Directory of the project (default: ${defaults.folder})`,
  },
  name: { type: "string", description: "Package name (default: name of the directory)" },
  platform: {
    type: "string",
    alias: "p",
    valueHint: platforms.join("|"),
    description: `Platform to run on (default: ${defaults.platform})`,
  },
  features: {
    type: "string",
    alias: "f",
    valueHint: features.join(","),
    description: `Features to include, or none (default: ${defaults.features.join(",")})`,
  },
  "package-manager": {
    type: "string",
    valueHint: packageManagers.join("|"),
    description: "Package manager (default: the one that runs this command)",
  },
  espalier: {
    type: "string",
    valueHint: "version or tarball",
    description: "Version of Espalier (default: version of this command)",
  },
  install: {
    type: "boolean",
    default: true,
    description: "Install the dependencies",
    negativeDescription: "Do not install the dependencies",
  },
  git: {
    type: "boolean",
    default: true,
    description: "Initialise a git repository",
    negativeDescription: "Do not initialise a git repository",
  },
  yes: { type: "boolean", alias: "y", description: "Skip all prompts and use the defaults" },
  force: {
    type: "boolean",
    description: "Write into a directory that is not empty; replaces files",
  },
  help: { type: "boolean", alias: "h", description: "Show this help" },
  version: { type: "boolean", alias: "v", description: "Show the version" },
} as const satisfies ArgsDef;

/** Returns the definition of the command, for `--help`. */
export function describeCommand(version: string): CommandDef<ArgsDef> {
  return defineCommand<ArgsDef>({
    meta: {
      name: "create-espalier",
      version,
      description: "Creates an Espalier application. Prompts for anything you omit.",
    },
    args: definitions,
  });
}

/**
 * Parses and validates the arguments of the command.
 *
 * @throws UsageError for an unknown option, platform, feature or package manager, with a suggestion
 */
export function readArguments(rawArguments: readonly string[]): Arguments {
  // Some package managers pass on the `--` before the options.
  const words = rawArguments.filter((word) => word !== "--");
  checkOptions(words);
  const parsed = parseArgs<typeof definitions>(words, definitions);
  const [, unexpected] = parsed._;
  if (unexpected !== undefined) {
    throw new UsageError(`Unexpected argument "${unexpected}"; expected one directory.`);
  }
  return {
    directory: said("directory", parsed.directory),
    name: said("name", parsed.name),
    platform: oneOf("platform", said("platform", parsed.platform), platforms),
    features: featuresOf(said("features", parsed.features)),
    packageManager: oneOf(
      "package manager",
      said("package-manager", parsed["package-manager"]),
      packageManagers,
    ),
    espalier: said("espalier", parsed.espalier),
    install: parsed.install,
    git: parsed.git,
    yes: parsed.yes === true,
    force: parsed.force === true,
  };
}

/** Returns true if the arguments include `--help` or `--version`. */
export function asksFor(option: "help" | "version", rawArguments: readonly string[]): boolean {
  return rawArguments.includes(`--${option}`) || rawArguments.includes(`-${option[0]}`);
}

/** Rejects unknown options, which citty ignores. */
function checkOptions(words: readonly string[]): void {
  const names = Object.keys(definitions).filter((name) => name !== "directory");
  const known = [...names, "no-install", "no-git"].map((name) => `--${name}`);
  const letters = ["-p", "-f", "-y", "-h", "-v"];
  for (const word of words) {
    const [option = ""] = word.split("=");
    if (!option.startsWith("-") || known.includes(option) || letters.includes(option)) continue;
    throw new UsageError(`Unknown option ${option}.${nearestNames(option, known)}`);
  }
}

/** Rejects an option without a value, which citty parses as an empty string. */
function said(name: string, value: string | undefined): string | undefined {
  if (value === "") throw new UsageError(`--${name} requires a value.`);
  return value;
}

function oneOf<Name extends string>(
  kind: string,
  value: string | undefined,
  known: readonly Name[],
): Name | undefined {
  if (value === undefined) return undefined;
  const found = known.find((name) => name === value);
  if (found !== undefined) return found;
  throw new UsageError(`Unknown ${kind} "${value}".${nearestNames(value, known)}`);
}

/** Parses a comma-separated list of features, in any order; `none` selects no features. */
function featuresOf(text: string | undefined): readonly Feature[] | undefined {
  if (text === undefined) return undefined;
  const words = text.split(",").map((word) => word.trim());
  const named = words.filter((word) => word !== "" && word !== "none");
  const chosen = named.map((word) => oneOf("feature", word, features));
  return features.filter((feature) => chosen.includes(feature));
}

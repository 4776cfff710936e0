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

/** What the command line says; undefined is what it leaves open. */
export interface Arguments {
  readonly folder: string | undefined;
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
  folder: {
    type: "positional",
    required: false,
    description: `Where to write the project, default ${defaults.folder}`,
  },
  name: { type: "string", description: "Name of the package, default that of the folder" },
  platform: {
    type: "string",
    alias: "p",
    valueHint: platforms.join("|"),
    description: `Where it runs, default ${defaults.platform}`,
  },
  features: {
    type: "string",
    alias: "f",
    valueHint: features.join(","),
    description: `What it has, or none, default ${defaults.features.join(",")}`,
  },
  "package-manager": {
    type: "string",
    valueHint: packageManagers.join("|"),
    description: "What installs, default the one that runs this",
  },
  espalier: {
    type: "string",
    valueHint: "version or tarball",
    description: "The framework to depend on, default the version of this command",
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
    description: "Make a git repository",
    negativeDescription: "Do not make a git repository",
  },
  yes: { type: "boolean", alias: "y", description: "Ask nothing, take the defaults" },
  force: { type: "boolean", description: "Write into a folder that is not empty" },
  help: { type: "boolean", alias: "h", description: "Show this" },
  version: { type: "boolean", alias: "v", description: "Show the version" },
} as const satisfies ArgsDef;

/** What `--help` shows. */
export function describeCommand(version: string): CommandDef<ArgsDef> {
  return defineCommand<ArgsDef>({
    meta: {
      name: "create-espalier",
      version,
      description: "Starts an Espalier application. What you do not say, you are asked.",
    },
    args: definitions,
  });
}

/**
 * Reads what stands behind the name of the command.
 *
 * @throws UsageError for an option, platform, feature or package manager that does not exist, with the
 *   nearest that does
 */
export function readArguments(rawArguments: readonly string[]): Arguments {
  // Package managers differ in who removes the `--` in front of the options.
  const words = rawArguments.filter((word) => word !== "--");
  checkOptions(words);
  const parsed = parseArgs<typeof definitions>(words, definitions);
  const [, unexpected] = parsed._;
  if (unexpected !== undefined) {
    throw new UsageError(`"${unexpected}" is one word too many: there is one folder.`);
  }
  return {
    folder: said("folder", parsed.folder),
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

/** Whether one of the options that only show something is there. */
export function asksFor(option: "help" | "version", rawArguments: readonly string[]): boolean {
  return rawArguments.includes(`--${option}`) || rawArguments.includes(`-${option[0]}`);
}

/** The library lets pass what it does not know. */
function checkOptions(words: readonly string[]): void {
  const names = Object.keys(definitions).filter((name) => name !== "folder");
  const known = [...names, "no-install", "no-git"].map((name) => `--${name}`);
  const letters = ["-p", "-f", "-y", "-h", "-v"];
  for (const word of words) {
    const [option = ""] = word.split("=");
    if (!option.startsWith("-") || known.includes(option) || letters.includes(option)) continue;
    throw new UsageError(`There is no option ${option}.${nearestNames(option, known)}`);
  }
}

/** An option without its value comes as an empty text. */
function said(name: string, value: string | undefined): string | undefined {
  if (value === "") throw new UsageError(`--${name} needs a value.`);
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
  throw new UsageError(`There is no ${kind} "${value}".${nearestNames(value, known)}`);
}

/** `--features auth,queue`, in any order; `none` is none. */
function featuresOf(text: string | undefined): readonly Feature[] | undefined {
  if (text === undefined) return undefined;
  const words = text.split(",").map((word) => word.trim());
  const named = words.filter((word) => word !== "" && word !== "none");
  const chosen = named.map((word) => oneOf("feature", word, features));
  return features.filter((feature) => chosen.includes(feature));
}

import { EspalierError } from "../errors.ts";
import { kindOf } from "../util/describe.ts";
import { nearestNames } from "../util/nearest-names.ts";
import { type ConfigField, type ConfigRule, ruleOfDefault, ruleOfField } from "./field.ts";
import type {
  ConfigSectionDeclaration,
  ConfigSectionOptions,
  ConfigSectionRules,
  ConfigSectionSource,
} from "./section-types.ts";
import { upperSnake } from "./upper-snake.ts";

/** Values by name, from any kind of object. */
export type Values = Readonly<Record<string, unknown>>;

/** A parsed section declaration; both forms of declaration result in it. */
export interface Section {
  readonly name: string;
  readonly rules: ReadonlyMap<string, ConfigRule>;
  readonly source: Values;
  readonly envPrefix: string;
  readonly defaults: Values;
}

const optionKeys: readonly string[] = ["schema", "defaults", "envPrefix", "source"];

/**
 * Parses both forms of a declaration: options with `schema` and `defaults`, or a map of rules
 * followed by its source.
 *
 * @throws EspalierError `ERR_CONFIG_BAD_SECTION` for what is neither
 */
export function parseSection(
  name: string,
  optionsOrRules: ConfigSectionDeclaration,
  third: ConfigSectionSource | undefined,
): Section {
  if (typeof optionsOrRules !== "object" || optionsOrRules === null) {
    throw new EspalierError(
      "ERR_CONFIG_BAD_SECTION",
      `configure(${JSON.stringify(name)}) got no options. ` +
        "Pass { schema, defaults }, or a map of rules and { source, envPrefix }.",
    );
  }
  const isOptions = third === undefined && looksLikeOptions(optionsOrRules);
  const options: ConfigSectionOptions = isOptions ? optionsOrRules : (third ?? {});
  refuseUnknownOptions(name, options);
  // Anything that does not look like options is a map of rules; ruleOfField validates each.
  const fields = isOptions ? options.schema : (optionsOrRules as ConfigSectionRules);
  const { source, defaults } = options;
  refusePromises(name, { options: optionsOrRules, schema: fields, source, defaults });
  return {
    name,
    rules: rulesOf(name, fields ?? {}, options.defaults ?? {}),
    source: options.source ?? {},
    envPrefix: options.envPrefix ?? `${upperSnake(name)}_`,
    defaults: options.defaults ?? {},
  };
}

/**
 * Without a third argument, `schema` and `defaults` are options: a rule map with fields of these names
 * needs one.
 */
function looksLikeOptions(value: ConfigSectionDeclaration): value is ConfigSectionOptions {
  const keys = Object.keys(value);
  return (
    keys.includes("schema") ||
    keys.includes("defaults") ||
    keys.every((key) => optionKeys.includes(key))
  );
}

/** A promise has no fields: the section would silently have none, or no values. */
function refusePromises(section: string, parts: Values): void {
  for (const [part, value] of Object.entries(parts)) {
    if (!(value instanceof Promise)) continue;
    throw new EspalierError(
      "ERR_CONFIG_BAD_SECTION",
      `The ${part} of configure(${JSON.stringify(section)}) must be an object, got ${kindOf(value)}. Await it first.`,
    );
  }
}

/** A misspelt option would be ignored silently, and with it the defaults or the prefix. */
function refuseUnknownOptions(section: string, options: ConfigSectionOptions): void {
  const unknown = Object.keys(options).find((key) => !optionKeys.includes(key));
  if (unknown === undefined) return;
  throw new EspalierError(
    "ERR_CONFIG_BAD_SECTION",
    `configure(${JSON.stringify(section)}): unknown option "${unknown}".` +
      `${nearestNames(unknown, optionKeys)}`,
  );
}

function rulesOf(
  section: string,
  fields: Readonly<Record<string, ConfigField | undefined>>,
  defaults: Values,
): ReadonlyMap<string, ConfigRule> {
  const rules: Map<string, ConfigRule> = new Map();
  for (const [field, declared] of Object.entries(fields)) {
    if (declared !== undefined) rules.set(field, ruleOfField(declared, `${section}.${field}`));
  }
  for (const [field, value] of Object.entries(defaults)) {
    if (!rules.has(field)) rules.set(field, ruleOfDefault(value));
  }
  return rules;
}

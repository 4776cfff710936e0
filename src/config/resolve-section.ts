import { castText } from "./cast.ts";
import { brokenRule } from "./check.ts";
import type { ConfigurationIssue } from "./configuration-error.ts";
import type { ConfigRule } from "./field.ts";
import { frozenCopy } from "./frozen-copy.ts";
import type { Section, Values } from "./section.ts";
import { upperSnake } from "./upper-snake.ts";

/** The values of a section, and its issues. */
export interface ResolvedSection {
  /** Frozen values by field; a field without a value is absent. */
  readonly values: Values;
  readonly issues: readonly ConfigurationIssue[];
}

/** A value, and its origin for messages. */
interface Found {
  readonly value: unknown;
  readonly origin: string;
}

/**
 * Finds, casts and validates every value of a section.
 *
 * A field is read from the source under its own name, from the source under its variable's name, from
 * the environment, then from the defaults. In the first three, an empty string counts as missing.
 */
export function resolveSection(section: Section, environment: Values): ResolvedSection {
  const entries: [string, unknown][] = [];
  const issues: ConfigurationIssue[] = [];
  for (const [field, rule] of section.rules) {
    const variable = section.envPrefix + upperSnake(field);
    const found = find(section, field, variable, environment);
    const value =
      typeof found?.value === "string" ? castText(found.value, rule.type) : found?.value;
    const issue = check(section.name, field, rule, variable, found, value);
    if (issue !== undefined) issues.push(issue);
    else if (value !== undefined) entries.push([field, frozenCopy(value)]);
  }
  // fromEntries defines own properties, including one named __proto__.
  return { values: Object.freeze(Object.fromEntries(entries)), issues };
}

function find(
  { source, defaults }: Section,
  field: string,
  variable: string,
  environment: Values,
): Found | undefined {
  const candidates: readonly Found[] = [
    { value: read(source, field), origin: `source.${field}` },
    { value: read(source, variable), origin: `source.${variable}` },
    { value: read(environment, variable), origin: `the environment variable ${variable}` },
  ];
  const given = candidates.find(({ value }) => !isAbsent(value));
  if (given !== undefined) return given;
  const value = read(defaults, field);
  return value === undefined ? undefined : { value, origin: `defaults.${field}` };
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** Reads a property by name, ignoring those inherited from Object.prototype (`toString`). */
function read(values: Values, name: string): unknown {
  return name in Object.prototype && !Object.hasOwn(values, name) ? undefined : values[name];
}

function check(
  section: string,
  field: string,
  rule: ConfigRule,
  variable: string,
  found: Found | undefined,
  value: unknown,
): ConfigurationIssue | undefined {
  if (found === undefined) {
    if (rule.required !== true) return undefined;
    const message =
      `${section}.${field} is required (rule "required"). ` +
      `Set ${variable}, or give it in the source.`;
    return { section, field, rule: "required", message };
  }
  // A default of null explicitly declares a missing value.
  if (value === null) return undefined;
  const broken = brokenRule(value, rule);
  if (broken === undefined) return undefined;
  const message =
    `${section}.${field} ${broken.complaint} (rule "${broken.rule}"). ` +
    `It comes from ${found.origin}.`;
  return { section, field, rule: broken.rule, message };
}

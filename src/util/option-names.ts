import { nearestNames } from "./nearest-names.ts";

/** The names of all options of a type; one that is missing here does not compile. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/**
 * What is wrong with the names of options, as the end of a sentence; undefined when nothing is. A misspelt
 * option would be taken for its default, which may be the less safe choice.
 *
 * @example findUnknownOption({ limt: 5 }, { limit: true }); // 'there is no option "limt". Did you mean "limit"?'
 */
export function findUnknownOption(
  options: unknown,
  names: Readonly<Record<string, true>>,
): string | undefined {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    return `options must be an object, and ${kindOf(options)} is none.`;
  }
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) return undefined;
  return `there is no option ${JSON.stringify(unknown)}.${nearestNames(unknown, Object.keys(names), 20)}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : typeof value;
}

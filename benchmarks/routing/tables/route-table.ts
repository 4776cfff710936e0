/** One request of a table, and the answer that every router has to give. */
export interface TableRequest {
  readonly method: string;
  /** The whole URL, as `request.url` spells it. */
  readonly url: string;
  /** The index of the route that answers; null where none does. */
  readonly route: number | null;
  /** The decoded parameters, in pattern order. */
  readonly params: Readonly<Record<string, string>>;
}

/** Routes, and requests with their answers. Plain data: it crosses into a worker as JSON. */
export interface RouteTable {
  readonly name: string;
  readonly routes: readonly (readonly [method: string, pattern: string])[];
  readonly requests: readonly TableRequest[];
}

/** The origin in front of every path: of an ordinary length, the same for every router. */
export const origin = "https://api.example.com";

/** The names of a pattern's parameters, in order; a bare `*` is named `*`. */
export function parameterNames(pattern: string): string[] {
  return Array.from(pattern.matchAll(/:([A-Za-z_$][\w$]*)|\*(\w*)/g), ([text, parameter, rest]) =>
    asPropertyName(parameter ?? (rest || text)),
  );
}

/**
 * The same text as the string that a property name in a program is. A handler reads `params.id`; a
 * name cut out of a pattern would make the engine look for that string on every read.
 */
function asPropertyName(name: string): string {
  return Object.keys({ [name]: 0 })[0] ?? name;
}

/** A request of a table, and its expected result. */
export interface TableRequest {
  readonly method: string;
  /** The complete URL, as in `request.url`. */
  readonly url: string;
  /** Index of the matching route; null if none matches. */
  readonly route: number | null;
  /** Decoded parameters, in pattern order. */
  readonly params: Readonly<Record<string, string>>;
}

/** Routes, and requests with their results. Plain data, so that it can be sent to a worker as JSON. */
export interface RouteTable {
  readonly name: string;
  readonly routes: readonly (readonly [method: string, pattern: string])[];
  readonly requests: readonly TableRequest[];
}

/** Origin of every URL: of typical length, the same for every router. */
export const origin = "https://api.example.com";

/** Returns the parameter names of a pattern, in order; a bare `*` is named `*`. */
export function parameterNames(pattern: string): string[] {
  return Array.from(pattern.matchAll(/:([A-Za-z_$][\w$]*)|\*(\w*)/g), ([text, parameter, rest]) =>
    asPropertyName(parameter ?? (rest || text)),
  );
}

/**
 * Returns the same string as an internalised property name. A handler reads `params.id`; with a name cut
 * out of a pattern, the engine would look the string up on every read.
 */
function asPropertyName(name: string): string {
  return Object.keys({ [name]: 0 })[0] ?? name;
}

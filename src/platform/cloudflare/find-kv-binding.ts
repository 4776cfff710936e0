import type { KvNamespace } from "./kv-types.ts";

/** Names under which a KV namespace is looked for when the application names none. */
const usualNames: readonly string[] = ["ESPALIER_KV", "KV", "CACHE"];

/**
 * The KV namespace among the bindings: the one of this name, or the first there is under the usual
 * names. What only has the name, such as a variable, is passed over.
 */
export function findKvBinding(
  env: Readonly<Record<string, unknown>>,
  name: string | undefined,
): KvNamespace | undefined {
  const names = name === undefined ? usualNames : [name];
  return names.map((candidate) => env[candidate]).find(isKvNamespace);
}

/** The names of all KV namespaces among the bindings. */
export function kvBindingNames(env: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(env).filter((name) => isKvNamespace(env[name]));
}

function isKvNamespace(value: unknown): value is KvNamespace {
  if (typeof value !== "object" || value === null) return false;
  return ["get", "put", "delete", "list"].every(
    (method) => typeof Reflect.get(value, method) === "function",
  );
}

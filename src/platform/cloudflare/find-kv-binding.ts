import { hasMethods } from "../../util/has-methods.ts";
import type { KvNamespace } from "./kv-types.ts";

/** Default names under which a KV namespace is looked up. */
const usualNames: readonly string[] = ["ESPALIER_KV", "KV", "CACHE"];

/**
 * Returns the KV namespace binding of that name, or the first one with a default name. Values of another
 * type under these names, such as variables, are skipped.
 */
export function findKvBinding(
  env: Readonly<Record<string, unknown>>,
  name: string | undefined,
): KvNamespace | undefined {
  const names = name === undefined ? usualNames : [name];
  return names.map((candidate) => env[candidate]).find(isKvNamespace);
}

/** Returns the names of all KV namespace bindings. */
export function kvBindingNames(env: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(env).filter((name) => isKvNamespace(env[name]));
}

function isKvNamespace(value: unknown): value is KvNamespace {
  return hasMethods(value, "get", "put", "delete", "list");
}

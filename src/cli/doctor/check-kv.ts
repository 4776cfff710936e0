import {
  type DoctorContext,
  type Finding,
  good,
  missing,
  misspelling,
  warning,
} from "./doctor-context.ts";

/** Binding names used by an application without the option `kv`. */
const usualNames: readonly string[] = ["ESPALIER_KV", "KV", "CACHE"];

/** Checks the KV namespace of the cache, which also stores jobs if no queue is bound. */
export function checkKv({ config, inspection }: DoctorContext): readonly Finding[] {
  const { kv, hasOwnCacheStore } = inspection;
  if (kv !== undefined) {
    if (config.kv.includes(kv)) return [good(`The cache uses the KV binding ${kv}`)];
    const problem = `The application uses the KV binding "${kv}", which does not exist.`;
    return [missing(problem, kv, config.kv, namespaceOf(kv))];
  }
  const used = usualNames.find((name) => config.kv.includes(name));
  if (used !== undefined) return [good(`The cache uses the KV binding ${used}`)];
  const misspelt = config.kv.find((name) => misspelling(name, usualNames) !== "");
  if (misspelt !== undefined) {
    const hint = misspelling(misspelt, usualNames);
    return [
      warning(
        `The cache does not use the KV binding "${misspelt}".${hint} ` +
          `Or set new Application({ kv: "${misspelt}" }).`,
      ),
    ];
  }
  if (hasOwnCacheStore) return [];
  const others =
    config.kv.length === 0
      ? ""
      : ` Other bindings (${config.kv.join(", ")}) are not used by the cache.`;
  return [
    warning(
      `No KV binding is named ${usualNames.join(", ")}, so cached values stay in the memory of each ` +
        `isolate.${others}`,
      namespaceOf("KV"),
    ),
  ];
}

function namespaceOf(binding: string): Finding["add"] {
  // Without an id, wrangler creates the namespace on the first deployment.
  return { kv_namespaces: [{ binding }] };
}

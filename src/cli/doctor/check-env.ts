import type { DeclaredMember } from "./declared-env.ts";
import { type DoctorContext, type Finding, good, missing, warning } from "./doctor-context.ts";

/** Lines to add for a binding, by the name of its type in `@cloudflare/workers-types`. */
const entries: Readonly<Record<string, (binding: string) => NonNullable<Finding["add"]>>> = {
  D1Database: (binding) => ({ d1_databases: [{ binding, database_name: "database" }] }),
  R2Bucket: (binding) => ({ r2_buckets: [{ binding, bucket_name: "bucket" }] }),
  KVNamespace: (binding) => ({ kv_namespaces: [{ binding }] }),
  Queue: (binding) => ({ queues: { producers: [{ binding, queue: "jobs" }] } }),
  DurableObjectNamespace: (name) => ({
    durable_objects: { bindings: [{ name, class_name: "…" }] },
  }),
  Fetcher: (binding) => ({ services: [{ binding, service: "…" }] }),
  Hyperdrive: (binding) => ({ hyperdrive: [{ binding, id: "…" }] }),
  Ai: (binding) => ({ ai: { binding } }),
  RateLimit: (name) => ({
    ratelimits: [{ name, namespace_id: "1001", simple: { limit: 100, period: 60 } }],
  }),
};

/** Types of variables and secrets; secrets are not in the configuration. */
const variableType = /^(?:string|number|boolean|["'`\d])/;

/**
 * Compares the bindings that the application declares as the type of `env` with the configuration.
 *
 * Optional members are not checked, nor variables, which may be secrets.
 */
export function checkEnv(
  { config, inspection }: DoctorContext,
  declared: readonly DeclaredMember[],
): readonly Finding[] {
  const known = [...config.bindings, ...Object.keys(config.variables)];
  // Reported by the check of the cache and of the queue.
  const checked: readonly (string | undefined)[] = [inspection.kv, inspection.queue];
  const bindings = declared.filter(
    ({ name, type }) => !variableType.test(type) && !checked.includes(name),
  );
  const absent = bindings.filter(({ name }) => !known.includes(name));
  const findings = absent.map(({ name, type }) => problemOf(name, type, config.bindings));
  const present = bindings.length - absent.length;
  if (present === 0) return findings;
  return [good(`${present} of ${bindings.length} bindings declared in Env exist`), ...findings];
}

function problemOf(name: string, type: string, bindings: readonly string[]): Finding {
  const message = `Env declares the binding "${name}" (${type}), which does not exist.`;
  // `Queue<Mail>` and `Cloudflare.Queue` are queues too.
  const entry = entries[type.replace(/<.*$/s, "").split(".").at(-1) ?? ""];
  // A type of the application may be anything, also an object that a test passes.
  if (entry === undefined) return warning(message);
  return missing(message, name, bindings, entry(name));
}

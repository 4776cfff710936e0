import { hasMethods } from "../../util/has-methods.ts";
import type { ObjectNamespace } from "./durable-object-types.ts";
import type { QueueProducer } from "./queue-types.ts";

/** Returns the Cloudflare Queues producer binding of that name; undefined if it does not exist. */
export function findQueueBinding(
  env: Readonly<Record<string, unknown>>,
  name: string,
): QueueProducer | undefined {
  const binding = env[name];
  return isQueueProducer(binding) ? binding : undefined;
}

/** Returns the Durable Object binding of that name; undefined if it does not exist. */
export function findObjectBinding(
  env: Readonly<Record<string, unknown>>,
  name: string,
): ObjectNamespace | undefined {
  const binding = env[name];
  return isObjectNamespace(binding) ? binding : undefined;
}

/** Returns the names of all queue producer bindings. */
export function queueBindingNames(env: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(env).filter((name) => isQueueProducer(env[name]));
}

function isQueueProducer(value: unknown): value is QueueProducer {
  return hasMethods(value, "send", "sendBatch");
}

function isObjectNamespace(value: unknown): value is ObjectNamespace {
  return hasMethods(value, "idFromName", "get");
}

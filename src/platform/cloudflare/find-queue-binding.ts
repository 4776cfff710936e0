import type { QueueProducer } from "./queue-types.ts";

/** The producer of Cloudflare Queues among the bindings; undefined where there is none of this name. */
export function findQueueBinding(
  env: Readonly<Record<string, unknown>>,
  name: string,
): QueueProducer | undefined {
  const binding = env[name];
  return isQueueProducer(binding) ? binding : undefined;
}

/** The names of all queue producers among the bindings. */
export function queueBindingNames(env: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(env).filter((name) => isQueueProducer(env[name]));
}

function isQueueProducer(value: unknown): value is QueueProducer {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof Reflect.get(value, "send") === "function" &&
    typeof Reflect.get(value, "sendBatch") === "function"
  );
}

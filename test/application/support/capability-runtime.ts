import type { ApplicationRuntime } from "../../../src/application/runtime.ts";
import { LocalEventEmitter } from "../../../src/events/event-emitter.ts";
import type { Logger } from "../../../src/observability/logger.ts";

/** The subset of a runtime used by capabilities, with a configurable environment and platform. */
export function createCapabilityRuntime(options: {
  readonly environment: () => Readonly<Record<string, unknown>>;
  readonly logger: Logger;
  readonly onCloudflare?: boolean;
}): ApplicationRuntime {
  const runtime = {
    ...options,
    onCloudflare: options.onCloudflare ?? false,
    background: { keepAlive: () => {} },
    events: new LocalEventEmitter(),
  };
  return runtime as unknown as ApplicationRuntime;
}

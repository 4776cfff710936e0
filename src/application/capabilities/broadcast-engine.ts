import type { BroadcastAdapter } from "../../broadcast/broadcast-adapter.ts";
import { Broadcaster } from "../../broadcast/broadcaster.ts";
import { MemoryBroadcastAdapter } from "../../broadcast/memory-broadcast-adapter.ts";
import type { ApplicationRuntime } from "../runtime.ts";

/** Creates the broadcaster of an application, in this process by default. */
export function createBroadcaster(
  adapter: BroadcastAdapter | undefined,
  { logger, background }: ApplicationRuntime,
): Broadcaster {
  const keepAlive = (work: Promise<void>): void => background.keepAlive(work);
  return new Broadcaster({ adapter: adapter ?? new MemoryBroadcastAdapter(), logger, keepAlive });
}

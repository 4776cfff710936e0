import type { RedisClient } from "bullmq";
import { ignore } from "../util/ignore.ts";
import type { BullmqQueue } from "./bullmq-ids.ts";
import type { JobWorker } from "./job-worker.ts";

/** Time that BullMQ has to close a queue or worker by itself, in milliseconds. */
const closeMs = 2000;

/**
 * Closes a queue or worker of BullMQ. If Redis does not respond, its connections are closed after two seconds: BullMQ
 * would wait until Redis is back, and sometimes for ever, which keeps the process alive.
 *
 * @param ownsClient false if the adapter was given a client: then only the connection that BullMQ opened for a worker is
 * closed
 */
export async function closePart(part: BullmqQueue | JobWorker, ownsClient: boolean): Promise<void> {
  const closing = part.close();
  const timer = setTimeout(() => {
    const { backend } = part;
    endConnection(backend.blockingClient);
    if (ownsClient) endConnection(backend.client);
    // Also ends connections that were never ready; those above have no further call to wait for.
    void backend.close(true).catch(ignore);
  }, closeMs);
  try {
    await closing;
  } finally {
    clearTimeout(timer);
  }
}

function endConnection(client: Promise<RedisClient> | undefined): void {
  client?.then((ready) => {
    // The loop of a worker may connect it once more.
    ready.on("ready", () => ready.disconnect());
    // A client that waits before it connects again ignores `disconnect`, and never reports that it has ended.
    if (ready.status === "reconnecting") ready.connect().catch(ignore);
    ready.disconnect();
  }, ignore);
}

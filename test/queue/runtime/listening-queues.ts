import { CloudflareQueuesAdapter } from "../../../src/platform/cloudflare/cloudflare-queues-adapter.ts";
import type { QueueBatch } from "../../../src/platform/cloudflare/queue-types.ts";
import type { LeasedJob, ListenRequest, QueueAdapter } from "../../../src/queue/queue-adapter.ts";

interface Listener {
  readonly request: ListenRequest;
  run(job: LeasedJob): Promise<void>;
}

/** Cloudflare Queues as an adapter that delivers: the consumer of a Worker passes its jobs to a listener. */
export class ListeningQueues extends CloudflareQueuesAdapter implements QueueAdapter {
  readonly #listeners: Listener[] = [];
  readonly #running = new Set<Promise<void>>();

  listen(run: (job: LeasedJob) => Promise<void>, request: ListenRequest): void {
    this.#listeners.push({ run, request });
  }

  async deliver(batch: QueueBatch): Promise<void> {
    const handling = this.handleBatch(batch, (job) => this.#run(job));
    this.#running.add(handling);
    await handling;
    this.#running.delete(handling);
  }

  async #run(job: LeasedJob): Promise<void> {
    const listener = this.#listeners.findLast(
      ({ request }) => request.names.has(job.name) && !request.signal.aborted,
    );
    if (listener === undefined) await this.release(job.id, job.lease);
    else await listener.run(job);
  }

  async close(): Promise<void> {
    await Promise.all(this.#running);
  }
}

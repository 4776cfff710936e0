import { EspalierError } from "../../errors.ts";
import type {
  FailedJob,
  JobCounts,
  JobSnapshot,
  LeasedJob,
  NewJobRecord,
  PullRequest,
  QueueAdapter,
  QueueFeature,
} from "../../queue/queue-adapter.ts";
import type { ObjectNamespace } from "./durable-object-types.ts";
import type { QueueObjectCall } from "./queue-object-protocol.ts";

/** Options of {@link DurableObjectQueueAdapter}. */
export interface DurableObjectQueueAdapterOptions {
  /** The Durable Object binding, or a function that returns it: bindings may differ between invocations. */
  readonly namespace: ObjectNamespace | (() => ObjectNamespace);
  /** Name of the object, which stores one queue; default "queue". */
  readonly name?: string;
}

/** A row of the database has at most 2 MB; the job's other fields need the rest. */
const payloadLimitBytes = 2_000_000 - 8192;

/**
 * QueueAdapter on a Durable Object with SQLite: exact leases, ids, priorities and due times in all locations, for
 * one round trip to the object per call.
 *
 * @example app.useQueue(new DurableObjectQueueAdapter({ namespace: () => env.QUEUE }));
 */
export class DurableObjectQueueAdapter implements QueueAdapter {
  readonly name = "cloudflare-durable-object";
  readonly features: readonly QueueFeature[] = ["keepIdMs"];
  readonly payloadLimitBytes: number = payloadLimitBytes;
  readonly #namespace: () => ObjectNamespace;
  readonly #objectName: string;

  constructor(options: DurableObjectQueueAdapterOptions) {
    const { namespace, name = "queue" } = options;
    this.#namespace = typeof namespace === "function" ? namespace : () => namespace;
    this.#objectName = name;
  }

  async push(jobs: readonly NewJobRecord[]): Promise<void> {
    await this.#call({ call: "push", jobs });
  }

  async pull({ max, names, leaseMs }: PullRequest): Promise<readonly LeasedJob[]> {
    const limits = Array.from(names, ([name, limit]) => ({
      name,
      max: Math.min(limit, max),
      leaseMs: leaseMs(name),
    }));
    return await this.#call({ call: "pull", max, limits });
  }

  async renew(id: string, lease: string, leaseMs: number): Promise<boolean> {
    return await this.#call({ call: "renew", id, lease, leaseMs });
  }

  async ack(id: string, lease: string): Promise<boolean> {
    return await this.#call({ call: "ack", id, lease });
  }

  async retry(id: string, lease: string, atMs: number): Promise<boolean> {
    return await this.#call({ call: "retry", id, lease, atMs });
  }

  async release(id: string, lease: string): Promise<boolean> {
    return await this.#call({ call: "release", id, lease });
  }

  async dead(id: string, lease: string, error: string): Promise<boolean> {
    return await this.#call({ call: "dead", id, lease, error });
  }

  async failed(limit: number): Promise<readonly FailedJob[]> {
    return await this.#call({ call: "failed", limit });
  }

  async retryFailed(id: string): Promise<boolean> {
    return await this.#call({ call: "retryFailed", id });
  }

  async discardFailed(id: string): Promise<boolean> {
    return await this.#call({ call: "discardFailed", id });
  }

  async counts(): Promise<JobCounts> {
    return await this.#call({ call: "counts" });
  }

  async find(id: string): Promise<JobSnapshot | undefined> {
    return (await this.#call<JobSnapshot | null>({ call: "find", id })) ?? undefined;
  }

  async cancel(id: string): Promise<boolean> {
    return await this.#call({ call: "cancel", id });
  }

  /** Sends a call to the object. A stub belongs to one invocation, so each call gets its own. */
  async #call<Result>(call: QueueObjectCall): Promise<Result> {
    const namespace = this.#namespace();
    const object = namespace.get(namespace.idFromName(this.#objectName));
    const body = JSON.stringify(call);
    const response = await object.fetch("https://queue.invalid/", { method: "POST", body });
    if (response.status !== 200) {
      throw new EspalierError(
        "ERR_QUEUE_UNSUPPORTED",
        `The Durable Object of the queue answered ${response.status}. ` +
          "Its class_name must be that of QueueDurableObject.",
      );
    }
    // Unchecked cast: QueueDurableObject responds with the result of the call.
    return (await response.json()) as Result;
  }
}

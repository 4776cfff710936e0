import type { JobCounts, JobSnapshot } from "../../queue/queue-adapter.ts";
import type { Clock } from "../../util/clock.ts";
import { type CandidateGroup, jobState, type KvQueueCandidates } from "./kv-queue-candidates.ts";
import { type KvFailedJobs, parseStored } from "./kv-queue-failed.ts";
import type { KvNamespace } from "./kv-types.ts";

/** Counts and finds jobs in KV: each call lists all keys of the queue. */
export class KvQueueLookups {
  readonly #namespace: () => KvNamespace;
  readonly #candidates: KvQueueCandidates;
  readonly #failed: KvFailedJobs;
  readonly #clock: Clock;

  constructor(
    namespace: () => KvNamespace,
    candidates: KvQueueCandidates,
    failed: KvFailedJobs,
    clock: Clock,
  ) {
    this.#namespace = namespace;
    this.#candidates = candidates;
    this.#failed = failed;
    this.#clock = clock;
  }

  async counts(): Promise<JobCounts> {
    const [pending, failed] = await Promise.all([
      this.#candidates.countJobs(this.#clock.now()),
      this.#failed.count(),
    ]);
    return { ...pending, failed };
  }

  async find(id: string): Promise<JobSnapshot | undefined> {
    const group = await this.#candidates.find(id);
    if (group === undefined) return await this.#failed.describe(id);
    const text = await this.#namespace().get(group[0].key, "text");
    return text === null ? undefined : describePending(group, text, this.#clock.now());
  }
}

function describePending(group: CandidateGroup, text: string, now: number): JobSnapshot {
  const { id, name, payload, maxAttempts, enqueuedAt } = parseStored(text);
  const [{ attempt }] = group;
  return { id, name, payload, state: jobState(group, now), attempt, maxAttempts, enqueuedAt };
}

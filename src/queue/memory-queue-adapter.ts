import { type Clock, createSystemClock } from "../util/clock.ts";
import { Heap } from "./heap.ts";
import type {
  FailedJob,
  JobCounts,
  JobRecord,
  JobSnapshot,
  LeasedJob,
  PullRequest,
  QueueAdapter,
  QueueFeature,
} from "./queue-adapter.ts";
import { TakenIds } from "./taken-ids.ts";

/** Options of {@link MemoryQueueAdapter}. */
export interface MemoryQueueAdapterOptions {
  /** Time and timers; default: the platform's. */
  readonly clock?: Clock;
  /** Maximum number of failed jobs kept for `failed()`; the oldest are dropped; default 10,000. */
  readonly failedLimit?: number;
}

interface Entry {
  readonly record: JobRecord;
  /** JSON, so that a handler that mutates its payload does not affect the next attempt. */
  readonly payloadText: string;
  attempt: number;
  dueAt: number;
  /** Order of arrival, for jobs of equal priority and due time. */
  sequence: number;
}

interface Lease {
  readonly entry: Entry;
  readonly token: string;
  endsAt: number;
}

/**
 * In-memory queue adapter: exact order, exact delays, no duplicates unless a lease expires.
 * All jobs are lost when the process ends.
 *
 * @example app.useQueue(new MemoryQueueAdapter({ failedLimit: 100 }));
 */
export class MemoryQueueAdapter implements QueueAdapter {
  readonly name = "memory";
  readonly features: readonly QueueFeature[] = ["keepIdMs"];
  readonly #clock: Clock;
  readonly #failedLimit: number;
  readonly #pending = new Map<string, Entry>();
  /** Jobs that are not due yet. An entry is in one heap, or leased. */
  readonly #delayed = new Heap<Entry>((a, b) => a.dueAt < b.dueAt);
  readonly #ready = new Map<string, Heap<Entry>>();
  readonly #leases = new Map<string, Lease>();
  readonly #failed = new Map<string, { job: FailedJob; record: JobRecord }>();
  readonly #takenIds = new TakenIds();
  #sequence = 0;
  /** Earliest lease expiry, in milliseconds since the epoch. */
  #nextExpiry = Number.POSITIVE_INFINITY;

  constructor(options: MemoryQueueAdapterOptions = {}) {
    this.#clock = options.clock ?? createSystemClock();
    this.#failedLimit = options.failedLimit ?? 10_000;
  }

  async push(jobs: readonly JobRecord[]): Promise<void> {
    for (const job of jobs) {
      if (this.#pending.has(job.id)) continue;
      if (this.#takenIds.take(job, this.#clock.now())) this.#add(job);
    }
  }

  #add(job: JobRecord): void {
    const { attempt, dueAt } = job;
    const payloadText = JSON.stringify(job.payload);
    const entry = { record: job, payloadText, attempt, dueAt, sequence: 0 };
    this.#pending.set(job.id, entry);
    this.#wait(entry);
  }

  async pull({ max, names, leaseMs }: PullRequest): Promise<readonly LeasedJob[]> {
    const now = this.#clock.now();
    this.#expireLeases(now);
    this.#collectDue(now);
    const room = new Map(names);
    const jobs: LeasedJob[] = [];
    while (jobs.length < max) {
      const entry = this.#takeFirst(room);
      if (entry === undefined) break;
      jobs.push(this.#lease(entry, now + leaseMs(entry.record.name)));
    }
    return jobs;
  }

  async renew(id: string, lease: string, leaseMs: number): Promise<boolean> {
    const held = this.#leases.get(id);
    if (held === undefined || held.token !== lease) return false;
    held.endsAt = this.#clock.now() + leaseMs;
    this.#nextExpiry = Math.min(this.#nextExpiry, held.endsAt);
    return true;
  }

  async ack(id: string, lease: string): Promise<boolean> {
    return this.#endLease(id, lease, () => void this.#pending.delete(id));
  }

  async retry(id: string, lease: string, atMs: number): Promise<boolean> {
    return this.#endLease(id, lease, (entry) => {
      entry.dueAt = atMs;
      this.#wait(entry);
    });
  }

  async release(id: string, lease: string): Promise<boolean> {
    return this.#endLease(id, lease, (entry) => {
      entry.attempt -= 1;
      entry.dueAt = this.#clock.now();
      this.#wait(entry);
    });
  }

  async dead(id: string, lease: string, error: string): Promise<boolean> {
    return this.#endLease(id, lease, (entry) => {
      this.#pending.delete(id);
      const { record, payloadText, attempt } = entry;
      const payload: unknown = JSON.parse(payloadText);
      const attempts = Math.min(attempt, record.maxAttempts);
      const job = { id, name: record.name, payload, attempts, error, failedAt: this.#clock.now() };
      // Deleted first, so that the entry moves to the end: failed jobs are ordered by time of failure.
      this.#failed.delete(id);
      this.#failed.set(id, { job, record });
      this.#trimFailed();
    });
  }

  async failed(limit: number): Promise<readonly FailedJob[]> {
    return [...this.#failed.values()].slice(0, limit).map(({ job }) => structuredClone(job));
  }

  async retryFailed(id: string): Promise<boolean> {
    const failed = this.#failed.get(id);
    if (failed === undefined || this.#pending.has(id)) return false;
    this.#failed.delete(id);
    const payload: unknown = failed.job.payload;
    this.#add({ ...failed.record, payload, attempt: 0, dueAt: this.#clock.now() });
    return true;
  }

  async discardFailed(id: string): Promise<boolean> {
    return this.#failed.delete(id);
  }

  async counts(): Promise<JobCounts> {
    this.#expireLeases(this.#clock.now());
    const counts = { waiting: 0, delayed: 0, running: 0, failed: this.#failed.size };
    for (const entry of this.#pending.values()) counts[this.#stateOf(entry)] += 1;
    return counts;
  }

  async find(id: string): Promise<JobSnapshot | undefined> {
    this.#expireLeases(this.#clock.now());
    const entry = this.#pending.get(id);
    if (entry !== undefined) {
      const { name, maxAttempts, enqueuedAt } = entry.record;
      const payload: unknown = JSON.parse(entry.payloadText);
      const { attempt } = entry;
      return { id, name, payload, state: this.#stateOf(entry), attempt, maxAttempts, enqueuedAt };
    }
    const failed = this.#failed.get(id);
    if (failed === undefined) return undefined;
    const { name, payload, attempts, error } = structuredClone(failed.job);
    const { maxAttempts, enqueuedAt } = failed.record;
    const times = { attempt: attempts, maxAttempts, enqueuedAt };
    return { id, name, payload, state: "failed", ...times, error };
  }

  async cancel(id: string): Promise<boolean> {
    this.#expireLeases(this.#clock.now());
    const entry = this.#pending.get(id);
    if (entry === undefined || this.#leases.has(id)) return false;
    this.#pending.delete(id);
    this.#delayed.remove(entry);
    this.#ready.get(entry.record.name)?.remove(entry);
    return true;
  }

  #stateOf({ record, dueAt }: Entry): "waiting" | "delayed" | "running" {
    if (this.#leases.has(record.id)) return "running";
    return dueAt > this.#clock.now() ? "delayed" : "waiting";
  }

  nextDueAt(): number | undefined {
    return this.#delayed.peek()?.dueAt;
  }

  #wait(entry: Entry): void {
    this.#sequence += 1;
    entry.sequence = this.#sequence;
    if (entry.dueAt <= this.#clock.now()) this.#readyHeap(entry.record.name).push(entry);
    else this.#delayed.push(entry);
  }

  /** Moves due jobs from the heap ordered by time to the heaps ordered by priority. */
  #collectDue(now: number): void {
    for (let entry = this.#delayed.peek(); entry !== undefined; entry = this.#delayed.peek()) {
      if (entry.dueAt > now) return;
      this.#delayed.pop();
      this.#readyHeap(entry.record.name).push(entry);
    }
  }

  #readyHeap(name: string): Heap<Entry> {
    let heap = this.#ready.get(name);
    if (heap === undefined) {
      heap = new Heap<Entry>(runsBefore);
      this.#ready.set(name, heap);
    }
    return heap;
  }

  /**
   * Removes and returns the first entry among the names with room. Each name has its own heap, so that the jobs
   * of other names are skipped at no cost.
   */
  #takeFirst(room: Map<string, number>): Entry | undefined {
    let first: Heap<Entry> | undefined;
    for (const name of room.keys()) {
      const heap = this.#ready.get(name);
      const candidate = heap?.peek();
      const best = first?.peek();
      if (candidate === undefined) this.#ready.delete(name);
      else if (best === undefined || runsBefore(candidate, best)) first = heap;
    }
    const entry = first?.pop();
    if (entry === undefined) return undefined;
    const { name } = entry.record;
    const left = (room.get(name) ?? 1) - 1;
    if (left > 0) room.set(name, left);
    else room.delete(name);
    return entry;
  }

  #lease(entry: Entry, endsAt: number): LeasedJob {
    entry.attempt += 1;
    this.#sequence += 1;
    const token = String(this.#sequence);
    this.#leases.set(entry.record.id, { entry, token, endsAt });
    this.#nextExpiry = Math.min(this.#nextExpiry, endsAt);
    const payload: unknown = JSON.parse(entry.payloadText);
    return { ...entry.record, payload, attempt: entry.attempt, dueAt: endsAt, lease: token };
  }

  #endLease(id: string, token: string, change: (entry: Entry) => void): boolean {
    const lease = this.#leases.get(id);
    if (lease === undefined || lease.token !== token) return false;
    this.#leases.delete(id);
    change(lease.entry);
    return true;
  }

  #expireLeases(now: number): void {
    if (now < this.#nextExpiry) return;
    this.#nextExpiry = Number.POSITIVE_INFINITY;
    for (const [id, lease] of this.#leases) {
      if (lease.endsAt > now) {
        this.#nextExpiry = Math.min(this.#nextExpiry, lease.endsAt);
        continue;
      }
      this.#leases.delete(id);
      lease.entry.dueAt = lease.endsAt;
      this.#wait(lease.entry);
    }
  }

  #trimFailed(): void {
    for (const id of this.#failed.keys()) {
      if (this.#failed.size <= this.#failedLimit) return;
      this.#failed.delete(id);
    }
  }
}

function runsBefore(a: Entry, b: Entry): boolean {
  const byPriority = b.record.priority - a.record.priority;
  if (byPriority !== 0) return byPriority < 0;
  return a.dueAt === b.dueAt ? a.sequence < b.sequence : a.dueAt < b.dueAt;
}

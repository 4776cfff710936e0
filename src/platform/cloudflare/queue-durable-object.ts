import type { ObjectState, ObjectStorage, ObjectStub } from "./durable-object-types.ts";
import { QueueObjectJobs } from "./queue-object-jobs.ts";
import { type QueueObjectCall, runJobsUrl } from "./queue-object-protocol.ts";

/** Time for which a due job is left to the Worker that enqueued it, in milliseconds. */
const graceMs = 2000;
/** Minimum time between two alarms, in milliseconds. */
const minAlarmMs = 1000;
/** Time until the next alarm if the Worker ran none of the due jobs, in milliseconds. */
const idleMs = 60_000;

/**
 * Durable Object that stores the jobs of a queue; used by `DurableObjectQueueAdapter`. Leases, ids and due times
 * are exact. Export it from the Worker and add it to the Worker's configuration:
 *
 * ```ts
 * export { QueueDurableObject } from "espalier/cloudflare";
 * ```
 * ```toml
 * [[durable_objects.bindings]]
 * name = "QUEUE"
 * class_name = "QueueDurableObject"
 *
 * [[migrations]]
 * tag = "queue"
 * new_sqlite_classes = ["QueueDurableObject"]
 * ```
 *
 * It sets an alarm for the next due job, and then lets the Worker run the due jobs. This needs a compatibility date
 * of 2025-11-17 or later; without it, jobs run after requests and in cron triggers.
 */
export class QueueDurableObject {
  readonly #storage: ObjectStorage;
  readonly #worker: ObjectStub | undefined;
  readonly #jobs: QueueObjectJobs;
  /** Time of the next alarm, in milliseconds since the epoch; undefined until it is read. */
  #alarmAt: number | undefined;

  constructor(state: ObjectState) {
    this.#storage = state.storage;
    this.#worker = state.exports?.default;
    this.#jobs = new QueueObjectJobs(state.storage.sql);
  }

  /** Executes one call of the adapter, and responds with its result as JSON. */
  async fetch(request: Request): Promise<Response> {
    // Unchecked cast: only the Worker can send requests to its object, and only the adapter does.
    const call = (await request.json()) as QueueObjectCall;
    const result = this.#execute(call, Date.now());
    if (bringsForward.has(call.call)) await this.#scheduleAlarm(0);
    return Response.json(result ?? null);
  }

  #execute(call: QueueObjectCall, now: number): unknown {
    const jobs = this.#jobs;
    switch (call.call) {
      case "push":
        return jobs.push(call.jobs, now);
      case "pull":
        return jobs.pull(call.max, call.limits, now);
      case "renew":
        return jobs.renew(call.id, call.lease, call.leaseMs, now);
      case "ack":
        return jobs.ack(call.id, call.lease);
      case "retry":
        return jobs.retry(call.id, call.lease, call.atMs);
      case "release":
        return jobs.release(call.id, call.lease, now);
      case "dead":
        return jobs.dead(call.id, call.lease, call.error, now);
      case "failed":
        return jobs.failed(call.limit);
      case "retryFailed":
        return jobs.retryFailed(call.id, now);
      case "discardFailed":
        return jobs.discardFailed(call.id);
      case "counts":
        return jobs.counts(now);
      case "find":
        return jobs.find(call.id, now);
      case "cancel":
        return jobs.cancel(call.id, now);
    }
  }

  /** Called by the platform when a job is due that no Worker has run. */
  async alarm(): Promise<void> {
    this.#alarmAt = undefined;
    const isDue = (this.#jobs.nextDueAt() ?? Number.POSITIVE_INFINITY) <= Date.now();
    const isIdle = isDue && !(await this.#runDueJobs());
    this.#jobs.forgetTaken(Date.now());
    await this.#scheduleAlarm(isIdle ? idleMs : minAlarmMs);
  }

  /** Returns true if the Worker ran a job. */
  async #runDueJobs(): Promise<boolean> {
    try {
      const response = await this.#worker?.fetch(runJobsUrl, { method: "POST" });
      const result: unknown = await response?.json();
      return typeof result === "object" && result !== null && Reflect.get(result, "attempts") > 0;
    } catch {
      // The Worker logs its errors; the next alarm tries it again.
      return false;
    }
  }

  /** Sets the alarm for the next due job, at the earliest in `minMs`, unless one is set that is earlier. */
  async #scheduleAlarm(minMs: number): Promise<void> {
    if (this.#worker === undefined) return;
    const dueAt = this.#jobs.nextDueAt();
    if (dueAt === undefined) return;
    const alarmAt = Math.max(dueAt + graceMs, Date.now() + minMs);
    this.#alarmAt ??= (await this.#storage.getAlarm()) ?? Number.POSITIVE_INFINITY;
    if (this.#alarmAt <= alarmAt) return;
    this.#alarmAt = alarmAt;
    await this.#storage.setAlarm(alarmAt);
  }
}

/** Calls after which a job may be due earlier than before. */
const bringsForward: ReadonlySet<string> = new Set(["push", "retry", "release", "retryFailed"]);

import type { JobState } from "../../queue/queue-adapter.ts";
import type { KvNamespace } from "./kv-types.ts";
import { type JobKey, parseJobKey } from "./queue-job-keys.ts";

/** A listed key and its parsed fields. */
export interface Candidate extends JobKey {
  readonly key: string;
  readonly jobName: string;
}

/** State of a job that has not ended. */
export type PendingState = Exclude<JobState, "failed">;

/** Returns the state of a job with these keys. */
export function jobState(group: CandidateGroup, now: number): PendingState {
  if (group.some(({ state, dueAt }) => state === "leased" && dueAt > now)) return "running";
  return group[0].dueAt > now ? "delayed" : "waiting";
}

/** All known keys of one job, the newest state first. */
export type CandidateGroup = readonly [Candidate, ...Candidate[]];

/** A page of listed keys, and the cursor of the next; undefined after the last. */
interface Page {
  readonly candidates: Candidate[];
  readonly cursor: string | undefined;
}

/** Maximum number of pages of 1000 keys read per scan. */
const longestScan = 10;
/** Number of keys of the wanted names after which a scan stops. */
const enoughKeys = 1000;
/** How long a list is used while it has runnable jobs, and while it has none. */
const listedMs = 10_000;
const emptyListedMs = 2000;
/** A key that this instance has deleted may still be listed for a minute or more. */
const staleMs = 5 * 60 * 1000;
/** Leasing takes moments, unless the platform kills the invocation in between. */
const takenMs = 30_000;

/**
 * Local index of pending job keys: the last KV list minus the keys this instance has consumed, which KV may
 * still list for a while.
 */
export class KvQueueCandidates {
  readonly #namespace: () => KvNamespace;
  readonly #prefix: string;
  /** Reserved keys, with the end of the reservation. */
  readonly #taken = new Map<string, number>();
  /** Deleted keys, with the time to forget them, oldest first. */
  readonly #deleted = new Map<string, number>();
  /** The listed keys in order of execution; those before `#first` are consumed. */
  #listed: Candidate[] = [];
  #first = 0;
  readonly #byId = new Map<string, Candidate[]>();
  #listedAt = Number.NEGATIVE_INFINITY;
  #moreFollow = false;
  /** Names that were ever wanted. */
  readonly #handled = new Set<string>();
  /** Cursor at which the next scan starts, after one that found no key of these names; undefined: at the start. */
  #resumeAt: string | undefined;

  constructor(namespace: () => KvNamespace, prefix: string) {
    this.#namespace = namespace;
    this.#prefix = prefix;
  }

  /** Adds a key just written by this instance, so that the list need not be read again. */
  learn(key: string, jobName: string, now: number): void {
    const parsed = parseJobKey(key.slice(this.#prefix.length));
    if (parsed === undefined || now - this.#listedAt > listedMs) return;
    const candidate = { ...parsed, key, jobName };
    const position = this.#listed.findLastIndex((other) => runsBefore(other, candidate) <= 0) + 1;
    this.#listed.splice(Math.max(position, this.#first), 0, candidate);
    this.#group(candidate);
  }

  /** Reserves keys that another worker is processing. */
  reserve(keys: readonly string[], now: number): void {
    for (const key of keys) this.#taken.set(key, now + takenMs);
  }

  /** Marks keys as deleted, so that stale list entries are ignored. */
  markDeleted(keys: readonly string[], now: number): void {
    for (const key of keys) {
      this.#taken.delete(key);
      this.#deleted.delete(key);
      this.#deleted.set(key, now + staleMs);
    }
  }

  /** Makes the keys of a group available again after a delay, since an immediate retry would fail again. */
  giveBack(group: CandidateGroup, now: number): void {
    for (const { key } of group) this.#taken.set(key, now + emptyListedMs);
  }

  /**
   * Reserves and returns the next runnable jobs, ordered by priority, then by due time.
   *
   * @param room how many of each name may be taken, and none of other names; what is taken is subtracted
   */
  async take(count: number, room: Map<string, number>, now: number): Promise<CandidateGroup[]> {
    this.#forgetOld(now);
    if (room.size === 0) return [];
    for (const name of room.keys()) this.#handled.add(name);
    if (now - this.#listedAt > listedMs) await this.#list(room, now);
    const groups = this.#takeListed(count, room, now);
    const isOld = this.#moreFollow || now - this.#listedAt > emptyListedMs;
    if (groups.length > 0 || !isOld) return groups;
    await this.#list(room, now);
    return this.#takeListed(count, room, now);
  }

  /** Counts the distinct jobs that have a key, by state. */
  async countJobs(now: number): Promise<Record<PendingState, number>> {
    const groups = new Map<string, CandidateGroup>();
    for await (const { candidates } of this.#pages()) {
      for (const candidate of candidates) {
        const { id } = candidate;
        if (this.#deleted.has(candidate.key)) continue;
        const group = newestFirst([candidate, ...(groups.get(id) ?? [])]);
        if (group !== undefined) groups.set(id, group);
      }
    }
    const counts = { waiting: 0, delayed: 0, running: 0 };
    for (const group of groups.values()) counts[jobState(group, now)] += 1;
    return counts;
  }

  /** Lists all keys, and returns those of one job; undefined if it has none. */
  async find(id: string): Promise<CandidateGroup | undefined> {
    const found: Candidate[] = [];
    for await (const { candidates } of this.#pages()) {
      for (const candidate of candidates) {
        if (candidate.id === id && !this.#deleted.has(candidate.key)) found.push(candidate);
      }
    }
    return newestFirst(found);
  }

  /** Synchronous, so that concurrent pulls of this instance never select the same job. */
  #takeListed(count: number, room: Map<string, number>, now: number): CandidateGroup[] {
    const taken: CandidateGroup[] = [];
    while (this.#isUsed(this.#listed[this.#first], now)) this.#first += 1;
    for (let index = this.#first; taken.length < count; index++) {
      const candidate = this.#listed[index];
      if (candidate === undefined) break;
      if (this.#isUsed(candidate, now) || !room.has(candidate.jobName)) continue;
      const known = this.#byId.get(candidate.id) ?? [];
      const group = newestFirst(known.filter((other) => !this.#isUsed(other, now)));
      if (group === undefined || !mayRun(group, now)) continue;
      const { jobName } = group[0];
      const left = room.get(jobName) ?? 0;
      if (left === 0) continue;
      if (left > 1) room.set(jobName, left - 1);
      else room.delete(jobName);
      this.reserve(
        group.map(({ key }) => key),
        now,
      );
      taken.push(group);
    }
    return taken;
  }

  #isUsed(candidate: Candidate | undefined, now: number): boolean {
    if (candidate === undefined) return false;
    return this.#deleted.has(candidate.key) || (this.#taken.get(candidate.key) ?? 0) > now;
  }

  #forgetOld(now: number): void {
    for (const [key, until] of this.#taken) if (until <= now) this.#taken.delete(key);
    for (const [key, until] of this.#deleted) {
      if (until > now) return;
      this.#deleted.delete(key);
    }
  }

  #group(candidate: Candidate): void {
    const known = this.#byId.get(candidate.id);
    if (known === undefined) this.#byId.set(candidate.id, [candidate]);
    else known.push(candidate);
  }

  /**
   * Reads pages until there are enough keys of the wanted names, or the rest is not due. If none has a handler here,
   * the next scan starts after them, so that they do not block the jobs behind them.
   */
  async #list(wanted: ReadonlyMap<string, number>, now: number): Promise<void> {
    const listed: Candidate[] = [];
    let found = 0;
    let hasHandled = false;
    let scanned = 0;
    let moreFollow = false;
    const startAt = this.#resumeAt;
    this.#resumeAt = undefined;
    for await (const { candidates, cursor } of this.#pages(startAt)) {
      for (const candidate of candidates) {
        if (this.#isUsed(candidate, now)) continue;
        listed.push(candidate);
        if (wanted.has(candidate.jobName)) found += 1;
        hasHandled ||= this.#handled.has(candidate.jobName);
      }
      scanned += 1;
      const restIsDueLater = (candidates.at(-1)?.dueAt ?? 0) > now;
      if (restIsDueLater) break;
      moreFollow = found >= enoughKeys;
      if (scanned === longestScan && !hasHandled) this.#resumeAt = cursor;
      if (moreFollow || scanned === longestScan) break;
    }
    this.#listed = listed.sort(runsBefore);
    this.#first = 0;
    this.#byId.clear();
    for (const candidate of this.#listed) this.#group(candidate);
    this.#moreFollow = moreFollow;
    this.#listedAt = now;
  }

  /** Lists all keys, or those from `cursor`. */
  async *#pages(cursor?: string): AsyncGenerator<Page> {
    do {
      const after = cursor === undefined ? {} : { cursor };
      const page = await this.#namespace().list({ prefix: this.#prefix, ...after });
      cursor = page.list_complete ? undefined : page.cursor;
      const candidates = page.keys.flatMap(({ name, metadata }) => {
        const parsed = parseJobKey(name.slice(this.#prefix.length));
        return parsed === undefined ? [] : [{ ...parsed, key: name, jobName: nameOf(metadata) }];
      });
      yield { candidates, cursor };
    } while (cursor !== undefined);
  }
}

function nameOf(metadata: unknown): string {
  const known = typeof metadata === "object" && metadata !== null && "name" in metadata;
  return known && typeof metadata.name === "string" ? metadata.name : "";
}

function runsBefore(a: Candidate, b: Candidate): number {
  return b.priority - a.priority || a.dueAt - b.dueAt;
}

/** Sorts by enqueue time, then by attempts, then by due time: a retry is due later than its lease was. */
function newestFirst(candidates: Candidate[]): CandidateGroup | undefined {
  const [newest, ...older] = candidates.sort(
    (a, b) => b.enqueuedAt - a.enqueuedAt || b.attempt - a.attempt || b.dueAt - a.dueAt,
  );
  return newest === undefined ? undefined : [newest, ...older];
}

/**
 * Returns `true` unless a lease may still be active, when the newest state or an earlier enqueue of the same
 * id is due: the later enqueue then runs in place of both.
 */
function mayRun(group: CandidateGroup, now: number): boolean {
  const [newest] = group;
  if (jobState(group, now) === "running") return false;
  return group.some(
    (key) => key.dueAt <= now && (key === newest || key.enqueuedAt < newest.enqueuedAt),
  );
}

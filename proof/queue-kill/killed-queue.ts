import { Queue } from "../../src/queue/queue.ts";
import type { QueueAdapter } from "../../src/queue/queue-adapter.ts";
import { jobsOfEach } from "./drivers.ts";
import { leaseMs } from "./extra-runs.ts";

/** Persistent records of the handler, which outlive the process. */
export interface Notes {
  put(key: string): Promise<void>;
  /** Returns the keys with this prefix, without it. */
  list(prefix: string): Promise<readonly string[]>;
}

export interface KilledQueueOptions {
  readonly adapter: QueueAdapter;
  /** One key per run with its start time, and one per completed job. */
  readonly notes: Notes;
  /** Runs the jobs that are due, or starts a process that runs all. */
  readonly work: (queue: Queue) => Promise<unknown>;
  readonly background?: (work: Promise<unknown>) => void;
}

/** The queue of the process that is killed, and the requests by which the proof controls it. */
export class KilledQueue {
  readonly #queue: Queue;
  readonly #notes: Notes;
  readonly #work: (queue: Queue) => Promise<unknown>;

  constructor({ adapter, notes, work, background }: KilledQueueOptions) {
    this.#notes = notes;
    this.#work = work;
    this.#queue = new Queue({
      adapter,
      createJobContext: () => ({}),
      ...(background === undefined ? {} : { background }),
      // Short, so that leased jobs are soon due again after a kill; long enough for a machine under load.
      leaseMs,
    });
  }

  async respond(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    switch (pathname) {
      case "/enqueue":
        return Response.json(
          await this.#enqueue(Number(searchParams.get("first")), Number(searchParams.get("count"))),
        );
      case "/work":
        this.#handleJobs();
        await this.#work(this.#queue);
        return Response.json({});
      case "/running":
        return Response.json(await this.#running());
      case "/status":
        return Response.json(await this.#status());
      default:
        return Response.json({ error: `Unknown path ${pathname}.` }, { status: 404 });
    }
  }

  #enqueue(first: number, count: number): Promise<readonly string[]> {
    this.#handleJobs();
    const numbers = Array.from({ length: count }, (_, index) => first + index);
    const backoff = { type: "fixed", delayMs: 200 } as const;
    const enqueue = (number: number): Promise<string> =>
      this.#queue.enqueue("work", number, { id: `job-${number}`, maxAttempts: 5, backoff });
    return Promise.all(numbers.map(enqueue));
  }

  /** Not done at startup: no job may run before the proof has read which ones were running at the kill. */
  #handleJobs(): void {
    if (this.#queue.hasHandlers) return;
    this.#queue.process("work", (job) => this.#run(job.id, job.payload as number, job.attempt), {
      concurrency: 20,
    });
  }

  async #run(id: string, number: number, attempt: number): Promise<void> {
    await this.#notes.put(`run/${id}/${Date.now()}/${crypto.randomUUID()}`);
    await new Promise((resolve) => setTimeout(resolve, 5 + (number % 10) * 3));
    if (number % 20 === 0) throw new Error("always");
    if (number % 7 === 0 && attempt === 1) throw new Error("the first time");
    await this.#notes.put(`done/${id}`);
  }

  /** Returns the ids of the jobs that are leased. */
  async #running(): Promise<readonly string[]> {
    const ids = Array.from({ length: jobsOfEach }, (_, number) => `job-${number}`);
    const jobs = await Promise.all(ids.map((id) => this.#queue.find(id)));
    return jobs.flatMap((job) => (job?.state === "running" ? [job.id] : []));
  }

  async #status(): Promise<unknown> {
    const [done, runs, failed, pending] = await Promise.all([
      this.#notes.list("done/"),
      this.#notes.list("run/"),
      this.#queue.failed(),
      this.#queue.size(),
    ]);
    return { done, runs, dead: failed.map(({ id }) => id), pending };
  }
}

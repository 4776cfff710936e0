import { expect } from "vitest";
import { MemoryQueueAdapter } from "../../../src/queue/memory-queue-adapter.ts";
import { Queue } from "../../../src/queue/queue.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { seededRandom } from "./seeded-random.ts";

const maxAttempts = 4;
const leaseMs = 2000;

/** Expected behaviour of a job, derived from its number. */
function kindOf(number: number): "poison" | "slow" | "good" {
  if (number % 100 === 0) return "poison";
  return number % 100 === 50 ? "slow" : "good";
}

/** Runs jobs, some of which throw, never succeed or exceed their lease, and checks each. */
export async function expectJobsAsModelled(jobs: number, seed: number): Promise<void> {
  const clock = new FakeClock();
  const random = seededRandom(seed);
  // Without renewals, so that the leases of slow jobs expire.
  const adapter = Object.assign(new MemoryQueueAdapter({ clock }), { renew: undefined as never });
  /** Requested delays after the failed attempts of each job. */
  const scheduled = new Map<string, number[]>();
  const retry = adapter.retry.bind(adapter);
  adapter.retry = (id, lease, atMs) => {
    scheduled.set(id, [...(scheduled.get(id) ?? []), atMs - clock.now()]);
    return retry(id, lease, atMs);
  };
  const completed = new Map<string, number>();
  const dead: string[] = [];
  const queue = new Queue({
    adapter,
    clock,
    random,
    leaseMs,
    concurrency: 200,
    createJobContext: () => ({}),
    onCompleted: ({ id }) => void completed.set(id, (completed.get(id) ?? 0) + 1),
    onFailed: ({ id }) => void dead.push(id),
  });
  /** Start and, if it failed, end of each attempt. */
  const attempts = new Map<string, { attempt: number; began: number; failed?: number }[]>();
  const throwing = new Set<string>();
  queue.process(
    "work",
    async (job) => {
      const record: { attempt: number; began: number; failed?: number } = {
        attempt: job.attempt,
        began: clock.now(),
      };
      const known = attempts.get(job.id) ?? [];
      attempts.set(job.id, [...known, record]);
      const kind = kindOf(job.payload as number);
      const ms = kind === "slow" && job.attempt === 1 ? leaseMs * 3 : Math.floor(random() * 50);
      await new Promise<void>((resolve) => {
        clock.after(ms, resolve);
      });
      const throws = kind === "good" && job.attempt === 1 && random() < 0.05;
      if (kind !== "poison" && !throws) return;
      if (throws) throwing.add(job.id);
      record.failed = clock.now();
      throw new Error(kind);
    },
    { concurrency: 100, timeoutMs: 60_000 },
  );
  const backoff = { type: "exponential", delayMs: 100, maxDelayMs: 5000 } as const;
  for (let number = 0; number < jobs; number++) {
    await queue.enqueue("work", number, { id: `job-${number}`, maxAttempts, backoff });
  }
  // Drains repeatedly, as a cron trigger does, which finds expired leases.
  for (let round = 0; (await queue.size()) !== 0 && round < 1000; round++) {
    void queue.drain();
    await clock.advance(500);
  }

  expect(await queue.size()).toBe(0);
  const failed = await queue.failed(jobs);
  const poison = Array.from({ length: jobs }, (_, number) => number)
    .filter((number) => kindOf(number) === "poison")
    .map((number) => `job-${number}`);
  expect(failed.map(({ id }) => id).sort()).toEqual(poison.toSorted());
  expect(dead.toSorted()).toEqual(poison.toSorted());
  expect(failed.every((job) => job.attempts === maxAttempts && job.error === "poison")).toBe(true);
  expect(completed.size).toBe(jobs - poison.length);
  expect([...completed.values()].every((count) => count === 1)).toBe(true);
  expect(throwing.size).toBeGreaterThan(jobs * 0.02);

  let waits = 0;
  for (const [id, made] of attempts) {
    const kind = kindOf(Number(id.slice(4)));
    const expected = kind === "poison" ? maxAttempts : kind === "slow" || throwing.has(id) ? 2 : 1;
    expect(made.map(({ attempt }) => attempt)).toEqual(
      Array.from({ length: expected }, (_, index) => index + 1),
    );
    for (const [index, delayMs] of (scheduled.get(id) ?? []).entries()) {
      const nominal = Math.min(100 * 2 ** index, 5000);
      waits += 1;
      expect(delayMs).toBeGreaterThanOrEqual(nominal * 0.8);
      expect(delayMs).toBeLessThanOrEqual(nominal * 1.2);
      const next = made[index + 1]?.began ?? Number.NaN;
      expect(next - (made[index]?.failed ?? Number.NaN)).toBeGreaterThanOrEqual(delayMs);
    }
  }
  expect(waits).toBeGreaterThan(jobs * 0.05);
}

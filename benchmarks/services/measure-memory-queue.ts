import { promise as fastq } from "fastq";
import PQueue from "p-queue";
import type { Row } from "../support/row.ts";
import { MemoryQueueAdapter, Queue } from "./espalier.ts";
import { timeRounds } from "./time-rounds.ts";

const concurrency = 50;

/** Measures jobs without work in memory, per second. */
export async function measureMemoryQueues(isQuick: boolean): Promise<Row[]> {
  const jobs = isQuick ? 200 : 10_000;
  const perSecond = async (run: () => Promise<unknown>): Promise<number> => {
    const begun = performance.now();
    await run();
    return (jobs * 1000) / (performance.now() - begun);
  };
  const numbers = Array.from({ length: jobs }, (_, index) => index);

  return await timeRounds(
    {
      case: "jobs in memory",
      unit: "jobs/s",
      baseline: "p-queue",
      isRate: true,
      rounds: isQuick ? 1 : 9,
    },
    {
      Espalier: async () => {
        const adapter = new MemoryQueueAdapter();
        const queue = new Queue({ adapter, createJobContext: () => ({}), concurrency });
        return await perSecond(async () => {
          let ended = 0;
          const all = new Promise<void>((resolve) => {
            const work = async (): Promise<void> => {
              ended += 1;
              if (ended === jobs) resolve();
            };
            queue.process("work", work, { concurrency });
          });
          await queue.start();
          await Promise.all(numbers.map((number) => queue.enqueue("work", { number })));
          await all;
          await queue.stop();
        });
      },
      fastq: () =>
        perSecond(async () => {
          const queue = fastq(async (job: { number: number }) => job.number, concurrency);
          await Promise.all(numbers.map((number) => queue.push({ number })));
        }),
      "p-queue": () =>
        perSecond(async () => {
          const queue = new PQueue({ concurrency });
          await Promise.all(numbers.map((number) => queue.add(async () => number)));
        }),
    },
  );
}

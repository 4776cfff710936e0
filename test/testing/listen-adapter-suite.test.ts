import type { LeasedJob, QueueAdapter } from "espalier";
import { listenAdapterSuite } from "espalier/testing";
import { expect, test } from "vitest";

/** Returns a test of the suite, for an adapter. */
function findTest(title: string, adapter: QueueAdapter): () => Promise<void> {
  const tests = new Map<string, () => unknown>();
  listenAdapterSuite({
    name: "custom",
    describe: (_title, body) => body(),
    it: (title, body) => void tests.set(title, body),
    createAdapter: () => adapter,
    quietMs: 1,
  });
  return async () => void (await tests.get(title)?.());
}

test("a test that fails stops its worker, and closes the adapter", async () => {
  let signal: AbortSignal | undefined;
  let run: (job: LeasedJob) => Promise<void> = async () => {};
  let isClosed = false;
  const adapter: QueueAdapter = {
    name: "delivers twice",
    async listen(given, request) {
      run = given;
      signal = request.signal;
    },
    async push(jobs) {
      for (const job of [...jobs, ...jobs]) await run({ ...job, attempt: 1, lease: job.id });
    },
    ack: async () => true,
    retry: async () => true,
    dead: async () => true,
    async close() {
      isClosed = true;
    },
  };
  const runTest = findTest("fails a job of UnrecoverableJobError at once", adapter);
  await expect(runTest()).rejects.toThrow("the attempts");
  expect(signal?.aborted).toBe(true);
  expect(isClosed).toBe(true);
});

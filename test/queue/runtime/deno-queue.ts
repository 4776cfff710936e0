// Run by Deno: the suite on its database, whose file is the first argument.
import { DenoKvQueueAdapter } from "../../../src/platform/deno/kv-queue-adapter.ts";
import type { DenoKv } from "../../../src/platform/deno/kv-queue-types.ts";
import { Queue } from "../../../src/queue/queue.ts";
import { listenAdapterSuite } from "../../../src/testing/listen-adapter-suite.ts";
import { queueSuite } from "../../../src/testing/queue-suite.ts";
import { createCollectingRunner } from "./collecting-runner.ts";

declare const Deno: {
  readonly args: string[];
  openKv(path?: string): Promise<DenoKv>;
  exit(code: number): never;
};

const runner = createCollectingRunner();
let database = 0;
const createAdapter = (): DenoKvQueueAdapter => {
  database += 1;
  const kv = () => Deno.openKv(`${Deno.args[0]}-${database}`);
  return new DenoKvQueueAdapter({ kv });
};
queueSuite({
  ...runner,
  name: "deno-kv",
  createQueue: () => new Queue({ adapter: createAdapter(), createJobContext: () => ({}) }),
});
listenAdapterSuite({ ...runner, name: "deno-kv", createAdapter });
runner.it("leaves a job that waits for a slot to another process", async () => {
  // Each connection receives messages as that of a process would.
  const createQueue = () => {
    const kv = () => Deno.openKv(`${Deno.args[0]}-shared`);
    const adapter = new DenoKvQueueAdapter({ kv });
    return new Queue({ adapter, createJobContext: () => ({}) });
  };
  const [busy, free] = [createQueue(), createQueue()];
  const left = Promise.withResolvers<void>();
  const timer = setTimeout(() => left.reject(new Error("The other process got no job.")), 20_000);
  let runs = 0;
  busy.process(
    "test",
    async () => {
      runs += 1;
      await left.promise;
    },
    { concurrency: 1 },
  );
  await busy.start();
  await busy.enqueue("test", null);
  await busy.enqueue("test", null);
  while (runs === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  free.process("test", async ({ attempt }) => {
    if (attempt === 1) left.resolve();
    else left.reject(new Error("The job has lost an attempt."));
  });
  await free.start();
  await left.promise.finally(() => clearTimeout(timer));
  await busy.stop();
  await free.stop();
});
console.log(JSON.stringify(await runner.run()));
Deno.exit(0);

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
console.log(JSON.stringify(await runner.run()));
Deno.exit(0);

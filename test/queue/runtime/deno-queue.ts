// Run by Deno: the suite on its database, whose file is the first argument.
import { DenoKvQueueAdapter } from "../../../src/platform/deno/kv-queue-adapter.ts";
import type { DenoKv } from "../../../src/platform/deno/kv-queue-types.ts";
import { Queue } from "../../../src/queue/queue.ts";
import { queueSuite } from "../../../src/testing/queue-suite.ts";
import { createCollectingRunner } from "./collecting-runner.ts";

declare const Deno: {
  readonly args: string[];
  openKv(path?: string): Promise<DenoKv>;
  exit(code: number): never;
};

const runner = createCollectingRunner();
let database = 0;
queueSuite({
  ...runner,
  name: "deno-kv",
  createQueue: () => {
    database += 1;
    const kv = () => Deno.openKv(`${Deno.args[0]}-${database}`);
    return new Queue({ adapter: new DenoKvQueueAdapter({ kv }), createJobContext: () => ({}) });
  },
});
console.log(JSON.stringify(await runner.run()));
Deno.exit(0);

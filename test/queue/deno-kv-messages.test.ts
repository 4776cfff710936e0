import { describe, expect, it, vi } from "vitest";
import type { StoredJob } from "../../src/platform/deno/kv-queue-records.ts";
import type { LeasedJob } from "../../src/queue/queue-adapter.ts";
import { listenRequest } from "../support/pull-jobs.ts";
import { createDenoKvPair } from "./support/deno-kv-pair.ts";

const prefix = "espalier-queue";

/** An adapter that listens, and whose messages the test delivers. */
async function createListener(run?: (job: LeasedJob) => Promise<void>) {
  const { clock, kv, adapter, push: pushJob } = createDenoKvPair();
  const runs: string[] = [];
  const listen = vi.spyOn(kv, "listenQueue");
  const acknowledge = async ({ id, lease }: LeasedJob): Promise<void> => {
    runs.push(id);
    await adapter.ack(id, lease);
  };
  await adapter.listen(run ?? acknowledge, listenRequest());
  const deliver = async (message: unknown): Promise<void> => {
    const [handler] = listen.mock.calls[0] ?? [];
    if (handler === undefined) throw new Error("The adapter does not listen.");
    await handler(message);
  };
  /** Stores the job "one" and returns its message. */
  const push = async (delayMs: number) => {
    await pushJob("one", { dueAt: clock.now() + delayMs });
    const { value } = await kv.get<StoredJob>([prefix, "job", "one"]);
    return { espalierQueue: prefix, id: "one", token: value?.token };
  };
  return { clock, adapter, runs, deliver, push };
}

describe("messages of Deno KV", () => {
  it.each([
    ["null", null],
    ["undefined", undefined],
    ["a string", "text"],
    ["another object", { other: 1 }],
    ["a message of a missing job", { espalierQueue: prefix, id: "gone", token: "t" }],
  ])("ignores %s", async (_title, message) => {
    const { deliver, runs } = await createListener();
    // The database would deliver a rejected message again.
    await expect(deliver(message)).resolves.toBeUndefined();
    expect(runs).toEqual([]);
  });

  it("ignores messages of another prefix or with an old token", async () => {
    const { deliver, push, runs } = await createListener();
    const message = await push(500);
    await deliver({ ...message, espalierQueue: "another" });
    await deliver({ ...message, token: "an older one" });
    expect(runs).toEqual([]);
    await expect(deliver(message)).resolves.toBeUndefined();
    expect(runs).toEqual(["one"]);
  });

  it("runs a job up to a second early, and postpones it if it is due later", async () => {
    const early = await createListener();
    await early.deliver(await early.push(1000));
    expect(early.runs).toEqual(["one"]);
    const later = await createListener();
    await later.deliver(await later.push(1001));
    expect(later.runs).toEqual([]);
    await later.clock.advance(1001);
    expect(later.runs).toEqual(["one"]);
  });

  it("rejects the message of a job whose outcome is not stored", async () => {
    const { deliver, push } = await createListener(async () => {});
    await expect(deliver(await push(0))).rejects.toMatchObject({
      code: "ERR_QUEUE_JOB_CUT_OFF",
      message: 'The outcome of the job "x" (id "one") could not be stored.',
    });
  });

  it("waits on close for running deliveries only", async () => {
    const { adapter, clock, deliver, push } = await createListener();
    await deliver(await push(0));
    await clock.advance(0);
    const wait = vi.spyOn(Promise, "allSettled");
    await adapter.close();
    const [running] = wait.mock.calls[0] ?? [];
    wait.mockRestore();
    expect([...(running ?? [undefined])]).toEqual([]);
  });
});

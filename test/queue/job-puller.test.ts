import { describe, expect, test } from "vitest";
import { JobPuller, type JobPullerOptions } from "../../src/queue/job-puller.ts";
import { JobSlots } from "../../src/queue/job-slots.ts";
import type { LeasedJob, PullRequest, QueueAdapter } from "../../src/queue/queue-adapter.ts";
import { createResilientAdapter } from "../../src/queue/resilient-adapter.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { leasedJob } from "./support/leased-job.ts";

const timeoutMs = 10_000;
/** Length of a lease: the timeout of the job and 15 s. */
const leaseMs = timeoutMs + 15_000;

function createPuller(
  adapterParts: Partial<QueueAdapter> = {},
  options: Partial<JobPullerOptions> = {},
) {
  const clock = new FakeClock();
  const pulls: PullRequest[] = [];
  const queued: LeasedJob[] = [];
  const adapter = {
    pull: async (request: PullRequest) => {
      pulls.push(request);
      return queued.splice(0);
    },
    ...adapterParts,
  } as Partial<QueueAdapter> as QueueAdapter;
  const store = createResilientAdapter({ adapter, clock }, () => {});
  const returned: string[] = [];
  const errors: unknown[] = [];
  const slots = new JobSlots(5);
  const puller = new JobPuller({
    store: () => store,
    definitions: new Map([["mail", { concurrency: 2, timeoutMs }]]),
    slots,
    clock,
    random: () => 0.5,
    leaseMs: undefined,
    pollMs: 1_000,
    giveBack: async ({ id }) => void returned.push(id),
    onError: (error) => void errors.push(error),
    ...options,
  });
  return { puller, clock, pulls, queued, returned, errors, slots };
}

describe("a pull", () => {
  test("asks for the names with room, and for how many jobs", async () => {
    const { puller, pulls, slots, clock } = createPuller(
      {},
      {
        definitions: new Map([
          ["mail", { concurrency: 2, timeoutMs }],
          ["report", { concurrency: 1, timeoutMs }],
        ]),
      },
    );
    slots.take("report", clock.now() + 1_000);
    await puller.pull(3);
    expect(pulls.map(({ max, names }) => [max, ...names])).toEqual([[3, ["mail", 2]]]);
    expect(puller.freeSlots()).toBe(2);
  });

  test("is left out while no name has room", async () => {
    const { puller, pulls, slots, clock } = createPuller();
    slots.take("mail", clock.now() + 1_000);
    slots.take("mail", clock.now() + 1_000);
    expect([await puller.pull(3), pulls]).toEqual([[], []]);
  });

  test("gives back jobs without a handler, and keeps the others", async () => {
    const { puller, queued, returned } = createPuller();
    queued.push(leasedJob({ id: "a", name: "unknown" }), leasedJob({ id: "b" }));
    expect((await puller.pull(3)).map(({ id }) => id)).toEqual(["b"]);
    expect(returned).toEqual(["a"]);
  });

  test("returns the list of the adapter if all have one", async () => {
    const jobs = [leasedJob({ id: "a" }), leasedJob({ id: "b" })];
    const { puller, returned } = createPuller({ pull: async () => jobs });
    expect(await puller.pull(3)).toBe(jobs);
    expect(returned).toEqual([]);
  });

  test("that fails is repeated after a wait that grows, and reported unless it has been logged", async () => {
    let isBroken = true;
    const { puller, clock, errors } = createPuller({
      pull: async () => {
        if (isBroken) throw new Error("no connection");
        return [];
      },
    });
    expect(await puller.pull(1)).toEqual([]);
    const first = puller.nextPullAt(true) - clock.now();
    await puller.pull(1);
    const second = puller.nextPullAt(true) - clock.now();
    expect(second).toBe(2 * first);
    expect(errors).toEqual([]);
    await clock.advance(second);
    expect(puller.nextPullAt(true)).toBe(clock.now() + 1_000);
    isBroken = false;
    await puller.pull(1);
    expect(puller.nextPullAt(false)).toBe(Number.POSITIVE_INFINITY);
  });

  test("reports what a function of the application throws", async () => {
    const broken = new TypeError("no adapter");
    const { puller, errors } = createPuller(
      {},
      {
        store: () => {
          throw broken;
        },
      },
    );
    expect(await puller.pull(1)).toEqual([]);
    expect(errors).toEqual([broken]);
  });
});

describe("a job that arrives after the deadline of its pull", () => {
  test.each<[string, number, boolean]>([
    ["at the beginning of its lease", 0, true],
    ["with just the time that it may take", leaseMs - timeoutMs, true],
    ["with less", leaseMs - timeoutMs + 1, false],
  ])("%s", async (_name, ageMs, mayRun) => {
    const { puller, clock, returned } = createPuller();
    const late = { jobs: [leasedJob()], pulledAt: clock.now() - ageMs };
    puller.addLate(late);
    expect(returned).toEqual(mayRun ? [] : ["1"]);
    expect(puller.nextPullAt(false)).toBe(mayRun ? clock.now() : Number.POSITIVE_INFINITY);
    expect(await puller.pull(1)).toEqual(mayRun ? late.jobs : []);
  });

  test("is given back if its name has no handler", () => {
    const { puller, clock, returned } = createPuller();
    puller.addLate({ jobs: [leasedJob({ name: "unknown" })], pulledAt: clock.now() });
    expect(returned).toEqual(["1"]);
    expect(puller.takeLate()).toEqual([]);
  });

  test("is returned before others, as many as are wanted", async () => {
    const { puller, clock, pulls } = createPuller();
    const jobs = ["a", "b", "c"].map((id) => leasedJob({ id }));
    puller.addLate({ jobs, pulledAt: clock.now() });
    expect((await puller.pull(2)).map(({ id }) => id)).toEqual(["a", "b"]);
    expect(pulls).toEqual([]);
    expect(puller.takeLate().map(({ id }) => id)).toEqual(["c"]);
    expect(puller.takeLate()).toEqual([]);
  });
});

describe("a lease", () => {
  const leaseOf = (
    parts: Partial<QueueAdapter>,
    options: Partial<JobPullerOptions> = {},
    name = "mail",
  ): number => createPuller(parts, options).puller.leaseMsOf(name);
  const long = { definitions: new Map([["mail", { concurrency: 1, timeoutMs: 3_600_000 }]]) };

  test("is as long as the job may take, and 15 s", () => {
    expect(leaseOf({})).toBe(leaseMs);
    expect(leaseOf({}, long)).toBe(3_615_000);
    expect(leaseOf({}, {}, "unknown")).toBe(15_000);
  });

  test("is a minute at most if it can be renewed", () => {
    const renew = async (): Promise<boolean> => true;
    expect(leaseOf({ renew }, long)).toBe(60_000);
    expect(leaseOf({ renew })).toBe(leaseMs);
  });

  test("is as long as configured", () => {
    expect(leaseOf({}, { leaseMs: 5_000 })).toBe(5_000);
  });
});

describe("the next pull from an adapter that cannot tell when a job is due", () => {
  test("is at the time of a job of this process, within an hour", async () => {
    const { puller, clock } = createPuller();
    const now = clock.now();
    puller.rememberDue(now);
    puller.rememberDue(now - 1);
    puller.rememberDue(now + 3_600_001);
    expect(puller.nextPullAt(false)).toBe(Number.POSITIVE_INFINITY);
    expect(puller.nextPullAt(true)).toBe(now + 1_000);
    puller.rememberDue(now + 3_600_000);
    expect(puller.nextPullAt(false)).toBe(now + 3_600_000);
    puller.rememberDue(now + 500);
    puller.rememberDue(now + 700);
    expect(puller.nextPullAt(true)).toBe(now + 500);
    await clock.advance(500);
    await puller.pull(1);
    expect(puller.nextPullAt(true)).toBe(now + 700);
  });
});

describe("the next pull from an adapter that can", () => {
  test("is when it says, whatever this process remembers", () => {
    let due: number | undefined = 5;
    const { puller, clock } = createPuller({ nextDueAt: () => due });
    puller.rememberDue(clock.now() + 500);
    expect(puller.nextPullAt(true)).toBe(5);
    due = undefined;
    expect(puller.nextPullAt(true)).toBe(Number.POSITIVE_INFINITY);
  });

  test("is never if the adapter delivers by itself", () => {
    const { puller } = createPuller({ pull: undefined as never });
    expect(puller.nextPullAt(true)).toBe(Number.POSITIVE_INFINITY);
  });
});

import { expect, test } from "vitest";
import { MemoryQueueAdapter } from "../../src/queue/memory-queue-adapter.ts";
import { isJobId } from "../../src/queue/option-checks.ts";
import { Queue } from "../../src/queue/queue.ts";
import { checkQueueOptions } from "../../src/queue/queue-options.ts";

const durations = ["timeoutMs", "pollMs", "leaseMs", "backgroundMs"] as const;
const invalid = (name: string, expected: string, shown: string): object => ({
  code: "ERR_QUEUE_BAD_OPTION",
  message: `The option "${name}" of Queue must be ${expected}, got ${shown}.`,
});

test.each(durations)("%s is a number of milliseconds above 0", (name) => {
  for (const value of [undefined, 0.5, 1, Number.POSITIVE_INFINITY]) {
    expect(() => checkQueueOptions({ [name]: value } as never)).not.toThrow();
  }
  for (const [value, shown] of [
    [0, "0"],
    [-1, "-1"],
    [Number.NaN, "NaN"],
    ["5", '"5"'],
    [null, "null"],
  ] as const) {
    expect(() => checkQueueOptions({ [name]: value } as never)).toThrow(
      expect.objectContaining(invalid(name, "a number of milliseconds above 0", shown)),
    );
  }
});

test("concurrency is a positive integer", () => {
  for (const concurrency of [undefined, 1, 50]) {
    expect(() => checkQueueOptions({ concurrency } as never)).not.toThrow();
  }
  for (const concurrency of [0, -1, 1.5, Number.NaN]) {
    expect(() => checkQueueOptions({ concurrency } as never)).toThrow(
      expect.objectContaining(invalid("concurrency", "a positive integer", String(concurrency))),
    );
  }
});

test("a queue checks its options", () => {
  const options = { adapter: new MemoryQueueAdapter(), createJobContext: () => ({}) };
  expect(() => new Queue({ ...options, pollMs: 0 })).toThrow(
    expect.objectContaining(invalid("pollMs", "a number of milliseconds above 0", "0")),
  );
});

test.each<[unknown, boolean]>([
  ["x", true],
  ["x".repeat(256), true],
  ["ü".repeat(128), true],
  ["x".repeat(257), false],
  ["ü".repeat(129), false],
  ["日".repeat(85), true],
  ["日".repeat(86), false],
  ["", false],
  ["a\n", false],
  ["\ud800", false],
  [5, false],
  [undefined, false],
])("%j as the id of a job: %s", (id, isValid) => {
  expect(isJobId(id)).toBe(isValid);
});

import { expect, test } from "vitest";
import { CallBatch } from "../../src/queue/call-batch.ts";

function createBatch() {
  const runs: number[][] = [];
  const batch = new CallBatch(async (items: readonly number[]) => {
    runs.push([...items]);
    if (items.includes(0)) throw new Error("refused");
    return items.map((item) => 10 * item);
  });
  return { batch, runs };
}

test("calls of the same moment are one, and each gets its own result", async () => {
  const { batch, runs } = createBatch();
  expect(await Promise.all([3, 1, 2].map((item) => batch.add(item)))).toEqual([30, 10, 20]);
  expect(runs).toEqual([[3, 1, 2]]);
});

test("calls of the same microtask checkpoint are one, whichever promise they follow", async () => {
  const { batch, runs } = createBatch();
  const later = async (item: number): Promise<number> => {
    await Promise.resolve();
    return await batch.add(item);
  };
  await Promise.all([later(1), later(2)]);
  expect(runs).toEqual([[1, 2]]);
});

test("a call after that is another run, also while the first is running", async () => {
  const { batch, runs } = createBatch();
  const first = batch.add(1);
  await new Promise((resolve) => setTimeout(resolve));
  expect(await Promise.all([first, batch.add(2)])).toEqual([10, 20]);
  expect(runs).toEqual([[1], [2]]);
});

test("a failed run fails all its calls, and no later one", async () => {
  const { batch } = createBatch();
  const failed = await Promise.allSettled([batch.add(1), batch.add(0)]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await batch.add(1)).toBe(10);
});

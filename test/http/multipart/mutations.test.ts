import { expect, test } from "vitest";
import {
  boundaryOf,
  describeByReference,
  describePieces,
  describeWhole,
  type Mutation,
  mutate,
  withoutMessage,
} from "../../support/multipart-mutations.ts";
import { Random } from "../../support/random.ts";

/** Another seed, or more mutations, by the environment: `MULTIPART_SEED=7 MULTIPART_MUTATIONS=100000`. */
const seed = Number(process.env["MULTIPART_SEED"] ?? 20_261_128);
const count = Number(process.env["MULTIPART_MUTATIONS"] ?? 6000);

const show = ({ bytes, contentType }: Mutation): string =>
  `${contentType}\n${JSON.stringify(Buffer.from(bytes).toString("latin1"))}`;

test("a mutated form reads the same as a whole and in pieces", { timeout: 600_000 }, async () => {
  const random = new Random(seed + 1);
  let refused = 0;
  for (const mutation of mutate(seed, count)) {
    const whole = await describeWhole(mutation);
    const pieceBytes = random.pick([1, 2, 3, 5, 17, 64, random.between(1, 200)]);
    const pieces = await describePieces(mutation, pieceBytes);
    if (pieces !== whole)
      expect.fail(`${show(mutation)}\nin pieces of ${pieceBytes}: ${pieces}\nwhole: ${whole}`);
    if (!whole.startsWith("[")) refused += 1;
  }
  // Guards against mutations that all fail, or none.
  expect(refused / count).toBeGreaterThan(0.2);
  expect(refused / count).toBeLessThan(0.9);
});

test("a mutated form reads the same as with the reference", { timeout: 600_000 }, async () => {
  let compared = 0;
  for (const mutation of mutate(seed + 2, count)) {
    const boundary = boundaryOf(mutation);
    if (boundary === undefined) continue;
    const expected = describeByReference(mutation, boundary);
    const actual = withoutMessage(await describeWhole(mutation));
    if (actual !== expected) expect.fail(`${show(mutation)}\n${actual}\nreference: ${expected}`);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(count * 0.9);
});

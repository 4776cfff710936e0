import { expect } from "vitest";
import type { LockStore } from "../../src/lock/lock-store.ts";

/**
 * Expects that the fencing tokens of a lock grow with each holder, also after the store has lost its data.
 *
 * @param loseData deletes all data of the store, at least 1 ms after the acquisitions before; returns the store or
 *   another one of the same engine
 */
export async function expectGrowingTokens(
  store: LockStore,
  loseData: () => LockStore | Promise<LockStore>,
): Promise<void> {
  const early = await takeInTurn(store);
  const late = await takeInTurn(await loseData());
  const tokens = [...early, ...late];
  expect(tokens.filter((token) => !Number.isSafeInteger(token))).toEqual([]);
  expect(tokens).toEqual(Array.from(new Set(tokens)).toSorted((a, b) => a - b));
}

/** Returns the tokens of five holders, one after another. */
async function takeInTurn(store: LockStore): Promise<number[]> {
  const tokens: number[] = [];
  for (const owner of ["a", "b", "c", "d", "e"]) {
    tokens.push((await store.acquire("import", owner, 60_000)) ?? Number.NaN);
    expect(await store.release("import", owner)).toBe(true);
  }
  return tokens;
}

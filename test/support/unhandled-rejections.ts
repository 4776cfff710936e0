import { afterEach, beforeEach, expect } from "vitest";

/** Runs an action; returns the reasons of the rejections that it leaves without a handler. */
export async function unhandledRejectionsOf(action: () => unknown): Promise<readonly unknown[]> {
  const reasons: unknown[] = [];
  const note = (reason: unknown): void => void reasons.push(reason);
  process.on("unhandledRejection", note);
  try {
    await action();
    await nextTurn();
    return reasons;
  } finally {
    process.off("unhandledRejection", note);
  }
}

/** Fails each test of this file, or of this suite, that leaves a rejection without a handler. */
export function expectNoUnhandledRejections(): void {
  const reasons: unknown[] = [];
  const note = (reason: unknown): void => void reasons.push(reason);
  beforeEach(() => void process.on("unhandledRejection", note));
  afterEach(async () => {
    await nextTurn();
    process.off("unhandledRejection", note);
    expect(reasons.splice(0)).toEqual([]);
  });
}

/** Node reports unhandled rejections at the end of a turn of the event loop. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

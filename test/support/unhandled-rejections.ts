/** Runs an action; returns the reasons of the rejections that it leaves without a handler. */
export async function unhandledRejectionsOf(action: () => unknown): Promise<readonly unknown[]> {
  const reasons: unknown[] = [];
  const note = (reason: unknown): void => void reasons.push(reason);
  process.on("unhandledRejection", note);
  try {
    await action();
    // Node reports them at the end of a turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    return reasons;
  } finally {
    process.off("unhandledRejection", note);
  }
}

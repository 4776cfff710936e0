/** Settles as `work` does, or at the deadline with what `onExpired` returns or throws. */
export async function withDeadline<Result, Late>(
  work: Promise<Result>,
  timeoutMs: number,
  onExpired: () => Late,
): Promise<Result | Late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  try {
    return await Promise.race([work, expired.then(onExpired)]);
  } finally {
    clearTimeout(timer);
  }
}

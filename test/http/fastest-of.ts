/**
 * Milliseconds of the fastest of several runs: what the work costs, without what else the machine was
 * doing meanwhile.
 */
export async function fastestOf(rounds: number, run: () => unknown): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    await run();
    fastest = Math.min(fastest, performance.now() - started);
  }
  return fastest;
}

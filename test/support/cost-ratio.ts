/** Measured work takes at least this long, so that the clock of processor time is exact enough. */
const leastMs = 5;

/**
 * Returns the processor time of some work in proportion to that of usual work: independent of how fast the machine is,
 * and of what else it does. Both are measured in turn, several times, and the least time of each counts.
 */
export async function costRatio(
  work: () => unknown,
  usual: () => unknown,
  rounds = 5,
): Promise<number> {
  const times = await repetitionsOf(work);
  const usualTimes = await repetitionsOf(usual);
  let leastWork = Number.POSITIVE_INFINITY;
  let leastUsual = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    leastUsual = Math.min(leastUsual, (await processorMs(usual, usualTimes)) / usualTimes);
    leastWork = Math.min(leastWork, (await processorMs(work, times)) / times);
  }
  return leastWork / leastUsual;
}

async function repetitionsOf(work: () => unknown): Promise<number> {
  let times = 1;
  while ((await processorMs(work, times)) < leastMs) times *= 2;
  return times;
}

/** Returns the processor time of this process for repeated work, in milliseconds. */
async function processorMs(work: () => unknown, times: number): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

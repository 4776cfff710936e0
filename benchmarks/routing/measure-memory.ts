import type { Series } from "../support/statistics.ts";
import type { Effort } from "./effort.ts";
import type { Session } from "./runtimes/runtime.ts";
import type { RouteTable } from "./tables/route-table.ts";

/**
 * Measures the memory of a filled router in KiB, JavaScript heap and wasm memory together: the growth of
 * a process that creates and retains some. Each subject has a separate process.
 */
export async function measureMemory(
  start: () => Promise<Session>,
  table: RouteTable,
  subjects: readonly string[],
  { instances }: Effort,
): Promise<Series[]> {
  const memories: Series[] = [];
  for (const subject of subjects) {
    const session = await start();
    await session.execute({ kind: "prepare", table });
    await session.execute({ kind: "register", subject, times: 3 }); // warm-up
    const { bytes } = await session.execute({ kind: "keep", subject, times: instances });
    memories.push({ subject, samples: [bytes / instances / 1024] });
    await session.close();
  }
  return memories;
}

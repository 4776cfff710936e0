import type { Series } from "../support/statistics.ts";
import type { Effort } from "./effort.ts";
import type { Session } from "./runtimes/runtime.ts";
import type { RouteTable } from "./tables/route-table.ts";

/**
 * KiB that one router with a table in it occupies, JavaScript heap and wasm memory together: what a
 * process grew by when it made some and kept them. Each subject has a process of its own.
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
    await session.execute({ kind: "register", subject, times: 3 }); // code and caches exist then
    const { bytes } = await session.execute({ kind: "keep", subject, times: instances });
    memories.push({ subject, samples: [bytes / instances / 1024] });
    await session.close();
  }
  return memories;
}

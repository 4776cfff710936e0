import { readdirSync, readFileSync } from "node:fs";

/** The process of the workerd that this process has started last. @throws when there is none */
export function findWorkerd(): number {
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isOwnWorkerd(name));
  const last = Math.max(...ids.map(Number));
  if (last > 0) return last;
  throw new Error("No workerd of this process was found.");
}

function isOwnWorkerd(id: string): boolean {
  try {
    const status = readFileSync(`/proc/${id}/status`, "utf8");
    const parent = Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]);
    return /^Name:\s*workerd$/m.test(status) && parent === process.pid;
  } catch {
    // It has ended since.
    return false;
  }
}

/** Memory of a process that is in use, in bytes. */
export function residentBytes(id: number): number {
  const status = readFileSync(`/proc/${id}/status`, "utf8");
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]) * 1_024;
}

/** How long all threads of a process have been on a processor, in milliseconds. */
export function processorMs(id: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${id}/task`)) {
    try {
      const times = readFileSync(`/proc/${id}/task/${thread}/schedstat`, "utf8");
      nanoseconds += Number(times.split(" ")[0]);
    } catch {
      // The thread has ended since.
    }
  }
  return nanoseconds / 1e6;
}

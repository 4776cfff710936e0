import { readdirSync, readFileSync } from "node:fs";

/** Returns the workerd process that this process started last. @throws if none is found */
export function findWorkerd(): number {
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isOwnWorkerd(name));
  const last = Math.max(...ids.map(Number));
  if (last > 0) return last;
  throw new Error("Found no workerd started by this process.");
}

function isOwnWorkerd(id: string): boolean {
  try {
    const status = readFileSync(`/proc/${id}/status`, "utf8");
    const parent = Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]);
    return /^Name:\s*workerd$/m.test(status) && parent === process.pid;
  } catch {
    // Exited meanwhile.
    return false;
  }
}

/** Returns the memory in use of a process, in bytes. */
export function residentBytes(id: number): number {
  const status = readFileSync(`/proc/${id}/status`, "utf8");
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]) * 1_024;
}

/** Returns the processor time of all threads of a process, in milliseconds. */
export function processorMs(id: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${id}/task`)) {
    try {
      const times = readFileSync(`/proc/${id}/task/${thread}/schedstat`, "utf8");
      nanoseconds += Number(times.split(" ")[0]);
    } catch {
      // The thread exited meanwhile.
    }
  }
  return nanoseconds / 1e6;
}

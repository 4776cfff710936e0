import { existsSync, readdirSync, readFileSync } from "node:fs";

/**
 * Returns a clock of a process in milliseconds: the processor time of all its threads, which other load on the
 * machine hardly changes; wall-clock time where the platform has no `/proc` with it.
 */
export function createProcessClock(pid: number | undefined): () => number {
  if (pid === undefined || !existsSync(`/proc/${pid}/schedstat`)) return () => performance.now();
  return () => {
    let nanoseconds = 0;
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      nanoseconds += readNanoseconds(`/proc/${pid}/task/${thread}/schedstat`);
    }
    return nanoseconds / 1e6;
  };
}

/** Returns the process that this one has started last and that runs a program; undefined without `/proc`. */
export function findChildProcess(program: string): number | undefined {
  if (!existsSync("/proc/self/stat")) return undefined;
  const children = readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = readIfThere(`/proc/${name}/stat`);
    const end = stat.lastIndexOf(")");
    const isOwn = stat.slice(stat.indexOf("(") + 1, end).startsWith(program);
    const fields = stat.slice(end + 2).split(" ");
    const startedAt = Number(fields[19]);
    return isOwn && Number(fields[1]) === process.pid ? [{ pid: Number(name), startedAt }] : [];
  });
  return children.sort((a, b) => b.startedAt - a.startedAt || b.pid - a.pid)[0]?.pid;
}

/** A thread may end while it is read: its time is lost, which is little. */
function readNanoseconds(file: string): number {
  return Number(readIfThere(file).split(" ")[0]);
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

import { existsSync, readdirSync, readFileSync } from "node:fs";

/**
 * Returns a clock of a process in milliseconds: the processor time of all its threads, which other load on the
 * machine hardly changes; wall-clock time where the platform has no `/proc` with it.
 */
export function createProcessClock(pid: number | undefined): () => number {
  if (pid === undefined || !existsSync(`/proc/${pid}/schedstat`)) return () => performance.now();
  return () => readProcessMs(pid);
}

/**
 * Returns a clock of a server in milliseconds, like {@link createProcessClock}: the time of its process and of those
 * that it has started, such as one for each connection.
 */
export function createServerClock(pid: number): () => number {
  if (!existsSync(`/proc/${pid}/schedstat`)) return () => performance.now();
  const times = new Map<number, number>();
  return () => {
    const children = listProcesses().filter(({ parent }) => parent === pid);
    for (const { pid: one } of [{ pid }, ...children]) {
      // One that has ended counts with its last time.
      times.set(one, Math.max(readProcessMs(one), times.get(one) ?? 0));
    }
    return [...times.values()].reduce((sum, time) => sum + time, 0);
  };
}

/** Returns the process that this one has started last and that runs a program; undefined without `/proc`. */
export function findChildProcess(program: string): number | undefined {
  return listProcesses()
    .filter((one) => one.parent === process.pid && one.program.startsWith(program))
    .sort((a, b) => b.startedAt - a.startedAt || b.pid - a.pid)[0]?.pid;
}

interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly program: string;
  /** Clock ticks since the machine started. */
  readonly startedAt: number;
}

/** Returns all processes; none without `/proc`. */
function listProcesses(): RunningProcess[] {
  if (!existsSync("/proc/self/stat")) return [];
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = readIfThere(`/proc/${name}/stat`);
    const end = stat.lastIndexOf(")");
    const fields = stat.slice(end + 2).split(" ");
    const program = stat.slice(stat.indexOf("(") + 1, end);
    return [
      { pid: Number(name), parent: Number(fields[1]), program, startedAt: Number(fields[19]) },
    ];
  });
}

/** Returns the processor time of all threads, in milliseconds; 0 if the process has ended. */
function readProcessMs(pid: number): number {
  let nanoseconds = 0;
  for (const thread of listIfThere(`/proc/${pid}/task`)) {
    nanoseconds += readNanoseconds(`/proc/${pid}/task/${thread}/schedstat`);
  }
  return nanoseconds / 1e6;
}

/** A thread may end while it is read: its time is lost, which is little. */
function readNanoseconds(file: string): number {
  return Number(readIfThere(file).split(" ")[0]);
}

function listIfThere(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

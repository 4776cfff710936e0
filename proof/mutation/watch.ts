/*
 * A watchdog thread, which an endless loop in a test cannot block: exits the process when the current
 * run exceeds its CPU time. The driver starts another process for the rest.
 */
import { workerData } from "node:worker_threads";

/** Number of started runs, and the CPU time limit of the last one in milliseconds. */
const watched: Int32Array = workerData;

let seen = -1;
let sinceMs = 0;
setInterval(() => {
  const { user, system } = process.cpuUsage();
  const spentMs = (user + system) / 1000;
  const [begun = 0, limitMs = 0] = watched;
  if (begun !== seen) {
    seen = begun;
    sinceMs = spentMs;
  } else if (spentMs - sinceMs > limitMs) {
    process.kill(process.pid, "SIGKILL");
  }
}, 200);

/*
 * A thread beside the tests, which a loop without an end cannot stop: it ends the process when
 * what runs has taken more CPU time than it may. The driver starts another for the rest.
 */
import { workerData } from "node:worker_threads";

/** How many things have begun to run, and the milliseconds of CPU time that the last one may take. */
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

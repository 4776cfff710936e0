import { spawn } from "node:child_process";

/** Processes that end together: when one of them exits, all are stopped. */
export class Children {
  isStopping = false;
  #servers = [];
  #others = [];
  #cleanUp;

  /** @param cleanUp called at the end */
  constructor(cleanUp) {
    this.#cleanUp = cleanUp;
  }

  /**
   * Starts a program; resolves when its output contains `until`. Servers are stopped after the others, which may
   * still need them. `isEchoed` passes the output on.
   */
  start(command, args, { env = {}, until, isServer = false, isEchoed = false, ...options }) {
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        env: { ...process.env, ...env },
        stdio: ["ignore", "pipe", "pipe"],
        ...options,
      });
      (isServer ? this.#servers : this.#others).push(child);
      let output = "";
      let isReady = false;
      for (const stream of ["stdout", "stderr"]) {
        child[stream].on("data", (chunk) => {
          if (isEchoed) process[stream].write(chunk);
          if (isReady) return;
          output += chunk;
          isReady = output.includes(until);
          if (isReady) resolve();
        });
      }
      child.on("error", () => reject(new Error(`The program ${command} is not installed.`)));
      child.on("exit", (code) => {
        reject(new Error(`${command} exited with ${code}: ${output}`));
        if (this.isStopping || !isReady) return;
        console.error(`${command} exited with ${code}.`);
        this.stop(1);
      });
    });
  }

  /** Stops all processes, then this one. */
  async stop(code) {
    if (this.isStopping) return;
    this.isStopping = true;
    await end(this.#others, "SIGTERM");
    // The fast shutdown of PostgreSQL: it does not wait for connections.
    await end(this.#servers, "SIGINT");
    this.#cleanUp();
    process.exit(code);
  }
}

async function end(children, signal) {
  const running = children.filter(
    ({ pid, exitCode, signalCode }) =>
      pid !== undefined && exitCode === null && signalCode === null,
  );
  const exits = running.map((child) => new Promise((resolve) => child.on("exit", resolve)));
  for (const child of running) child.kill(signal);
  await Promise.all(exits);
}

import { spawn } from "node:child_process";
import { environment } from "../starter/run-command.mjs";

const startWithinMs = 120_000;

/** Runs `npm run dev` until the returned function is called; resolves when the Worker is ready. */
export async function startDevServer(cwd: string): Promise<() => Promise<void>> {
  const child = spawn("npm", ["run", "dev"], {
    cwd,
    // A separate process group, so that npm and its child processes can be stopped.
    detached: true,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    await exited;
  };
  let output = "";
  const ready = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`not ready: ${output}`)), startWithinMs);
    const read = (chunk: Buffer): void => {
      output += String(chunk);
      if (!/Ready on/.test(output)) return;
      clearTimeout(late);
      resolve();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    exited.then(() => reject(new Error(`The server exited: ${output}`)));
  });
  try {
    await ready;
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

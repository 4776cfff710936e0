import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "../support/bundle.ts";

const binary = (name: string): string => join(root, "node_modules", ".bin", name);
const deno = ["run", "--allow-net", "--allow-env", "--allow-read", "--no-lock"];

/** Command of each file of the example, as in its README. */
export const programs = {
  "node-listen.ts": [process.execPath],
  "node-http.ts": [process.execPath],
  "deno.ts": [binary("deno"), ...deno],
  "bun.ts": [binary("bun")],
} as const;

export interface Program {
  readonly url: string;
  /** Sends SIGTERM and returns the exit code, or null if the process was killed by the signal. */
  stop(): Promise<number | null>;
}

/** Runs a file of the example on a free port; each runtime has a different option for it. */
export async function startProgram(file: keyof typeof programs): Promise<Program> {
  const [command, ...args] = programs[file];
  const child = spawn(command, [...args, join("examples", "embedded", file)], {
    cwd: root,
    env: {
      ...process.env,
      PORT: "0",
      BUN_PORT: "0",
      DENO_SERVE_ADDRESS: "tcp:127.0.0.1:0",
      DENO_NO_UPDATE_CHECK: "1",
      NO_COLOR: "1",
      GREETING_WORD: "Ahoy",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const stop = (): Promise<number | null> => {
    child.kill("SIGTERM");
    return exited;
  };
  return { url: await urlOf(child, exited), stop };
}

function urlOf(child: ChildProcess, exited: Promise<number | null>): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const url = /Listening on (http:\/\/\S+:\d+)\//.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    exited.then((code) => reject(new Error(`The program exited with code ${code}:\n${output}`)));
  });
}

import { fork } from "node:child_process";
import type { Command, Done } from "../engine/command.ts";
import { nodeBundle, wasmFile } from "./bundle.ts";
import type { Session } from "./runtime.ts";

interface Reply {
  readonly result: Done;
  readonly elapsedMs: number;
  readonly bytes: number;
  readonly error?: string;
}

/** Starts a Node process with all routers; it times itself. */
export async function startNodeSession(): Promise<Session> {
  const child = fork(nodeBundle, [wasmFile], { execArgv: ["--expose-gc"] });
  const execute = (command: Command): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const failed = (code: number | null) =>
        reject(new Error(`The process exited with code ${code}.`));
      child.once("exit", failed);
      child.once("message", (reply: Reply) => {
        child.off("exit", failed);
        if (reply.error === undefined) resolve(reply);
        else reject(new Error(reply.error));
      });
      child.send(command);
    });
  return {
    execute: execute as Session["execute"], // the reply to `load` carries a `Loaded`
    async close() {
      child.removeAllListeners();
      child.kill();
    },
  };
}

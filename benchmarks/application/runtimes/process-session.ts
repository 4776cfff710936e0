import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ApplicationCase } from "../applications.ts";
import type { Command, Reply } from "../engine/command.ts";
import { bundle, root } from "./bundle.ts";
import type { RuntimeName, Session, StartSession } from "./runtime.ts";

const binary = (name: string): string => join(root, "node_modules/.bin", name);

/** Command line of each runtime that runs a file. */
export const commands: Record<Exclude<RuntimeName, "workerd">, readonly [string, ...string[]]> = {
  node: [process.execPath, "--expose-gc"],
  deno: [binary("deno"), "run", "-A", "--no-lock", "--v8-flags=--expose-gc"],
  bun: [binary("bun"), "run"],
};

/** Frameworks of a session. */
export interface SessionOptions {
  /** Only Espalier and the bare handler, without importing peers. */
  readonly own?: boolean;
  /** Names of the subjects; default: all. */
  readonly only?: readonly string[];
}

/** Bundles the frameworks for a runtime, and returns a function that starts processes with them. */
export async function prepareProcesses(
  runtime: Exclude<RuntimeName, "workerd">,
  { own = false, only = [] }: SessionOptions = {},
): Promise<StartSession> {
  const code = await bundleProcess(runtime, own);
  return (input) => startProcess(runtime, code, input, only);
}

/** Returns the code of a process that holds the frameworks and executes commands. */
export async function bundleProcess(
  runtime: Exclude<RuntimeName, "workerd">,
  own: boolean,
): Promise<string> {
  const code = `
    import { answerCommands } from "./runtimes/process-entry.ts";
    import { subjects } from "./subjects/${own ? "own-subjects" : "subjects"}.ts";
    await answerCommands(subjects);
  `;
  return (await bundle({ code }, runtime)).code;
}

async function startProcess(
  runtime: Exclude<RuntimeName, "workerd">,
  code: string,
  input: ApplicationCase,
  only: readonly string[],
): Promise<Session> {
  const folder = mkdtempSync(join(tmpdir(), "espalier-benchmark-"));
  const file = join(folder, "frameworks.mjs");
  const caseFile = join(folder, "case.json");
  writeFileSync(file, code);
  writeFileSync(caseFile, JSON.stringify(input));
  const [command, ...flags] = commands[runtime];
  const child = spawn(command, [...flags, file, caseFile, ...only], {
    env: { ...process.env, DENO_NO_UPDATE_CHECK: "1" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<never>((_, reject) => {
    child.once("exit", (code) =>
      reject(new Error(`The process of ${runtime} exited with code ${code}.`)),
    );
  });
  ended.catch(() => {}); // Avoids an unhandled rejection: the process always exits, possibly without a pending reply.
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async execute(command: Command) {
      child.stdin.write(`${JSON.stringify(command)}\n`);
      const { value } = await Promise.race([lines.next(), ended]);
      const reply = JSON.parse(String(value)) as Reply; // written by the process of ours
      if (reply.error !== undefined) throw new Error(reply.error);
      return reply;
    },
    async close() {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

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

/** How each runtime is asked to run a file. */
export const commands: Record<Exclude<RuntimeName, "workerd">, readonly [string, ...string[]]> = {
  node: [process.execPath, "--expose-gc"],
  deno: [binary("deno"), "run", "-A", "--no-lock", "--v8-flags=--expose-gc"],
  bun: [binary("bun"), "run"],
};

/** Which frameworks a session has. */
export interface SessionOptions {
  /** Ours and the bare handler alone, without importing any peer. */
  readonly own?: boolean;
  /** Those of these names; all where it is left out. */
  readonly only?: readonly string[];
}

/** Bundles the frameworks for a runtime; what it gives starts processes that hold them. */
export async function prepareProcesses(
  runtime: Exclude<RuntimeName, "workerd">,
  { own = false, only = [] }: SessionOptions = {},
): Promise<StartSession> {
  const code = await bundleProcess(runtime, own);
  return (input) => startProcess(runtime, code, input, only);
}

/** The code of a process that holds the frameworks and takes commands. */
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
    child.once("exit", (code) => reject(new Error(`The process of ${runtime} ended (${code}).`)));
  });
  ended.catch(() => {}); // it ends for certain, and then perhaps nobody waits for an answer
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

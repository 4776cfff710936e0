import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ApplicationCase } from "../applications.ts";
import { checkAnswer } from "../engine/check-answer.ts";
import { bundle } from "../runtimes/bundle.ts";
import { commands } from "../runtimes/process-session.ts";
import type { ServerRuntime } from "./contestants.ts";

/** A server in a process of its own. */
export interface RunningServer {
  /** `http://127.0.0.1:49152` */
  readonly origin: string;
  /** Milliseconds that it has been on a processor so far; undefined where the system hides it. */
  readCpuMs(): number | undefined;
  stop(): void;
}

/** The processor that the server has to itself; the load generator is kept on the others. */
const serverCore = 1;

const buildFolder = fileURLToPath(new URL("../../.build/", import.meta.url));

/** Bundles a server of the folder `servers` for a runtime. */
export async function bundleServer(runtime: ServerRuntime, server: string): Promise<string> {
  const code = `
    import { readFileSync } from "node:fs";
    import process from "node:process";
    import { listen } from "./sockets/servers/${server}.ts";
    const port = await listen(JSON.parse(readFileSync(process.argv[2], "utf8")));
    console.log("listening " + port);
  `;
  // AdonisJS loads its parts lazily, and does not survive being bundled.
  const options = server === "adonis" ? { packages: "external" as const } : {};
  return (await bundle({ code }, runtime, options)).code;
}

/** Starts a bundled server on its core, where the system can pin processes. @throws its output */
export async function startServer(
  runtime: ServerRuntime,
  code: string,
  input: ApplicationCase,
): Promise<RunningServer> {
  // Below this folder, where what a bundle leaves outside of itself is found.
  mkdirSync(buildFolder, { recursive: true });
  const folder = mkdtempSync(join(buildFolder, "server-"));
  const file = join(folder, "server.mjs");
  const caseFile = join(folder, "case.json");
  writeFileSync(file, code);
  writeFileSync(caseFile, JSON.stringify(input));
  const [command, ...rest] = [...pinned(serverCore), ...commands[runtime], file, caseFile];
  const child = spawn(command ?? "", rest, {
    env: { ...process.env, NODE_ENV: "production", DENO_NO_UPDATE_CHECK: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = () => {
    child.kill("SIGKILL"); // it holds nothing that wants to be closed
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const origin = `http://127.0.0.1:${await readPort(child)}`;
    return { origin, readCpuMs: () => readCpuMs(child.pid ?? 0), stop };
  } catch (error) {
    stop();
    throw error;
  }
}

/** Says what a server answers wrongly; undefined if everything is right. */
export async function checkServer(
  { origin }: RunningServer,
  { timed, checked }: ApplicationCase,
): Promise<string | undefined> {
  for (const exchange of [...timed, ...checked]) {
    const problem = await checkAnswer((request) => fetch(request), {
      ...exchange,
      url: origin + pathOf(exchange.url),
    });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The path and query of a whole URL, as they were written. */
export function pathOf(url: string): string {
  return url.slice(url.indexOf("/", "https://".length));
}

/** The command line's beginning that pins a process to a processor; empty where that is not there. */
export function pinned(core: number): string[] {
  return existsSync("/usr/bin/taskset") ? ["/usr/bin/taskset", "-c", String(core)] : [];
}

/** Time of a process in programs and in the system, from Linux's own files. */
function readCpuMs(pid: number): number | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, "utf8");
  // The name of the program, in brackets, may have spaces; state is the first field behind it.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  return ticks * 10; // Linux counts hundredths of a second for programs, whatever its own clock
}

async function readPort({ stdout, stderr }: ChildProcess): Promise<string> {
  let errors = "";
  stderr?.on("data", (text) => {
    errors += text;
  });
  if (stdout === null) throw new Error("The server has no output.");
  for await (const line of createInterface({ input: stdout })) {
    const [, port] = /^listening (\d+)$/.exec(line) ?? [];
    if (port !== undefined) return port;
    errors += `${line}\n`;
  }
  throw new Error(`The server did not start: ${errors.slice(0, 2_000)}`);
}

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

/** A server in a separate process. */
export interface RunningServer {
  /** `http://127.0.0.1:49152` */
  readonly origin: string;
  /** Returns its processor time in milliseconds; undefined if the system does not provide it. */
  readCpuMs(): number | undefined;
  stop(): void;
}

/** Processor reserved for the server; the load generator uses another. */
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
  // Not bundled: AdonisJS loads its parts lazily by path.
  const options = server === "adonis" ? { packages: "external" as const } : {};
  return (await bundle({ code }, runtime, options)).code;
}

/** Starts a bundled server, on its reserved processor if the system supports it. @throws its output */
export async function startServer(
  runtime: ServerRuntime,
  code: string,
  input: ApplicationCase,
): Promise<RunningServer> {
  // Below this folder, so that external packages are resolved.
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
    child.kill("SIGKILL"); // has no resources to close
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

/** Returns the first wrong response of a server; undefined if all are correct. */
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

/** Returns the path and query of a URL, unchanged. */
export function pathOf(url: string): string {
  return url.slice(url.indexOf("/", "https://".length));
}

/** Returns the command that pins a process to a processor; empty if not available. */
export function pinned(core: number): string[] {
  return existsSync("/usr/bin/taskset") ? ["/usr/bin/taskset", "-c", String(core)] : [];
}

/** Returns the user and system time of a process, from `/proc` of Linux. */
function readCpuMs(pid: number): number | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, "utf8");
  // The program's name, in parentheses, may contain spaces; the state is the first field after it.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  return ticks * 10; // Linux reports hundredths of a second
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

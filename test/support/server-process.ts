import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BundleRuntime, bundle, root } from "./bundle.ts";

const binary = (name: string): string => join(root, "node_modules", ".bin", name);

/** Command line of each runtime that runs a file. */
const commands = {
  node: (file: string) => [process.execPath, file],
  deno: (file: string) => [binary("deno"), "run", "--allow-net", "--allow-env", "--no-lock", file],
  bun: (file: string) => [binary("bun"), "run", file],
} as const;

export interface ServerProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Output so far, of both streams. */
  readonly output: () => string;
  /** Sends SIGTERM and gives the exit code. */
  stop(): Promise<number | null>;
}

/**
 * Bundles an entry that prints `listening <url>`, runs it on the runtime, and waits for that line.
 *
 * @param env environment variables beside those of this process
 */
export async function startServerProcess(
  entry: string,
  runtime: keyof typeof commands & BundleRuntime,
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), "espalier-runtime-"));
  const file = join(folder, "server.mjs");
  writeFileSync(file, (await bundle(entry, runtime)).code);
  const [command = "", ...args] = commands[runtime](file);
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, DENO_NO_UPDATE_CHECK: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const match = /^listening (\S+)$/m.exec(output);
      if (match?.[1] !== undefined) resolve(match[1]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    exited.then((code) => reject(new Error(`${runtime} ended with ${code}:\n${output}`)));
  });
  return {
    url,
    child,
    output: () => output,
    async stop() {
      child.kill("SIGTERM");
      const code = await exited;
      rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
}

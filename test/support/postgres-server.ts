import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

/** Folder of the programs `postgres` and `initdb`: that of Debian's package, or none for those on the PATH. */
const programs = findPrograms();

/** User of the server, which refuses to run as root; undefined: the current one. */
const user = process.getuid?.() === 0 ? findUser() : undefined;

/** Reason why tests with PostgreSQL are skipped; undefined if it can be started. */
export const noPostgres: string | undefined =
  programs === undefined
    ? "the program postgres is not installed"
    : process.getuid?.() === 0 && user === undefined
      ? "postgres does not run as root, and the user postgres does not exist"
      : undefined;

/** A separate PostgreSQL server, on the loopback interface. */
export interface PostgresServer {
  readonly port: number;
  readonly url: string;
  /** Process of the server, which changes with {@link restart}. */
  readonly pid: number;
  /** Sends a signal to the server and all its processes, such as SIGSTOP, which suspends it, and SIGCONT. */
  signal(name: NodeJS.Signals): void;
  /**
   * Kills the server and starts it again, on the same port and with the same data.
   *
   * @param pauseMs time for which it is down, in milliseconds; default 0
   */
  restart(pauseMs?: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server with an empty database and waits until it accepts connections. */
export async function startPostgres(...settings: string[]): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "espalier-postgres-"));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const initialised = spawnSync(
    join(programs ?? "", "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"],
    { encoding: "utf8", cwd: folder, ...user },
  );
  if (initialised.status !== 0) throw new Error(`initdb failed: ${initialised.stderr}`);
  const port = await freePort();
  let child = await run(folder, data, port, settings);
  return {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    get pid() {
      return Number(child.pid);
    },
    signal: (name) => signalAll(child, name),
    async restart(pauseMs = 0) {
      await end(child);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      child = await run(folder, data, port, settings);
    },
    async stop() {
      await end(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function run(
  folder: string,
  data: string,
  port: number,
  settings: string[],
): Promise<ChildProcess> {
  const flags = ["-h", "127.0.0.1", "-p", String(port), "-c", "unix_socket_directories="];
  const child = spawn(join(programs ?? "", "postgres"), ["-D", data, ...flags, "-F", ...settings], {
    cwd: folder,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    ...user,
  });
  await new Promise<void>((resolve, reject) => {
    let output = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("ready to accept connections")) resolve();
    });
    child.on("exit", (code) => reject(new Error(`postgres exited with ${code}: ${output}`)));
  });
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  signalAll(child, "SIGCONT");
  signalAll(child, "SIGKILL");
  await exited;
}

/** Signals the server, and the processes that serve connections, which are in separate process groups. */
function signalAll({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const children = stdout
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child);
  for (const target of [pid, ...children]) {
    try {
      if (target !== undefined) process.kill(target, name);
    } catch {
      // It has ended meanwhile.
    }
  }
}

function findPrograms(): string | undefined {
  if (spawnSync("initdb", ["--version"]).status === 0) return "";
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  return versions
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(debian, version, "bin"))
    .find((folder) => existsSync(join(folder, "postgres")));
}

function findUser(): { uid: number; gid: number } | undefined {
  const [uid, gid] = ["-u", "-g"].map((flag) => {
    const { status, stdout } = spawnSync("id", [flag, "postgres"], { encoding: "utf8" });
    return status === 0 ? Number(stdout) : undefined;
  });
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

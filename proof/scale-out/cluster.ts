import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migratePostgres } from "espalier/postgres";
import { Pool } from "pg";
import { freePort } from "../../test/support/free-port.ts";
import { type PostgresServer, startPostgres } from "../../test/support/postgres-server.ts";
import { type RedisServer, startRedis } from "../../test/support/redis-server.ts";
import { type RunningProxy, startProxy } from "../proxies/proxy.ts";

/** Where jobs are kept. */
export type Engine = "bullmq" | "postgres";

const program = join(import.meta.dirname, "process.ts");
const processes = 4;

/** Four processes of an application behind nginx, over one Redis and one PostgreSQL. */
export class Cluster {
  readonly engine: Engine;
  readonly redis: RedisServer;
  readonly postgres: PostgresServer;
  readonly #log: string;
  readonly #ports: readonly number[];
  readonly #children: ChildProcess[] = [];
  #proxy: RunningProxy | undefined;

  private constructor(
    engine: Engine,
    log: string,
    ports: readonly number[],
    servers: Pick<Cluster, "redis" | "postgres">,
  ) {
    this.engine = engine;
    this.#log = log;
    this.#ports = ports;
    this.redis = servers.redis;
    this.postgres = servers.postgres;
  }

  /** Starts all of it; `folder` gets the file to which the processes append what they do. */
  static async start(engine: Engine, folder: string): Promise<Cluster> {
    const log = join(folder, `${engine}.log`);
    writeFileSync(log, "");
    const settings = ["--appendonly", "yes", "--maxmemory-policy", "noeviction"];
    const redis = await startRedis(...settings);
    const postgres = await startPostgres();
    const client = new Pool({ connectionString: postgres.url });
    await migratePostgres({ client });
    await client.end();
    const ports: number[] = [];
    for (let index = 0; index < processes; index += 1) ports.push(await freePort());
    const cluster = new Cluster(engine, log, ports, { redis, postgres });
    await Promise.all(ports.map((_, index) => cluster.#startProcess(index)));
    cluster.#proxy = await startProxy("nginx", ports);
    return cluster;
  }

  /** The server that keeps the jobs. */
  get store(): RedisServer | PostgresServer {
    return this.engine === "bullmq" ? this.redis : this.postgres;
  }

  /** Returns the URL of a path behind the proxy. */
  url(path: string): string {
    return `http://127.0.0.1:${this.#proxy?.port}${path}`;
  }

  /** Kills a process, and starts it again on the same port. */
  async restartProcess(index: number): Promise<void> {
    await kill(this.#children[index]);
    await this.#startProcess(index);
  }

  /** Returns how often the processes recorded each line that begins with a word, by what follows it. */
  recorded(word: string): Map<string, number> {
    const counts = new Map<string, number>();
    for (const line of readFileSync(this.#log, "utf8").split("\n")) {
      if (!line.startsWith(`${word} `)) continue;
      const rest = line.slice(word.length + 1);
      counts.set(rest, (counts.get(rest) ?? 0) + 1);
    }
    return counts;
  }

  async stop(): Promise<void> {
    await this.#proxy?.stop();
    await Promise.all(this.#children.map(kill));
    await this.redis.stop();
    await this.postgres.stop();
  }

  async #startProcess(index: number): Promise<void> {
    const child = spawn(process.execPath, [program], {
      env: {
        ...process.env,
        ENGINE: this.engine,
        LOG: this.#log,
        PORT: String(this.#ports[index]),
        REDIS_PORT: String(this.redis.port),
        POSTGRES_URL: this.postgres.url,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#children[index] = child;
    let output = "";
    await new Promise<void>((resolve, reject) => {
      const read = (chunk: Buffer): void => {
        output = (output + chunk.toString()).slice(-10_000);
        if (output.includes("listening on")) resolve();
      };
      child.stdout.on("data", read);
      child.stderr.on("data", read);
      child.once("exit", (code) => reject(new Error(`A process ended with ${code}:\n${output}`)));
    });
  }
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exited;
}

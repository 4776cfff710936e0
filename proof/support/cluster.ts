import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { migratePostgres } from "espalier/postgres";
import { Pool } from "pg";
import { freePort } from "../../test/support/free-port.ts";
import { type PostgresServer, startPostgres } from "../../test/support/postgres-server.ts";
import { type RedisServer, startRedis } from "../../test/support/redis-server.ts";
import { type RunningProxy, startProxy } from "../proxies/proxy.ts";

/** Where jobs are kept. */
export type Engine = "bullmq" | "postgres";

/** What a cluster runs. */
export interface ClusterOptions {
  /** Name of its log file. */
  readonly name: string;
  /** Folder of that file, to which the processes append what they do. */
  readonly folder: string;
  /** Path of the program of each process. */
  readonly program: string;
  /** Where the jobs of each process are kept: one entry for each process. */
  readonly engines: readonly Engine[];
}

/** Time in which a process must end after SIGTERM, in milliseconds: that of `stop()`, and of its shutdown hooks. */
const stopLimitMs = 15_000;

/** Processes of an application behind nginx, over one Redis and one PostgreSQL. */
export class Cluster {
  readonly engines: readonly Engine[];
  readonly redis: RedisServer;
  readonly postgres: PostgresServer;
  readonly ports: readonly number[];
  /** Ends of processes that nothing has asked to end, with their last output. */
  readonly crashes: string[] = [];
  readonly #program: string;
  readonly #log: string;
  readonly #children: ChildProcess[] = [];
  /** Processes that have been asked to end. */
  readonly #ending: WeakSet<ChildProcess> = new WeakSet();
  #proxy: RunningProxy | undefined;

  private constructor(
    { name, folder, program, engines }: ClusterOptions,
    ports: readonly number[],
    servers: Pick<Cluster, "redis" | "postgres">,
  ) {
    this.engines = engines;
    this.ports = ports;
    this.redis = servers.redis;
    this.postgres = servers.postgres;
    this.#program = program;
    this.#log = join(folder, `${name}.log`);
  }

  /** Starts all of it, or leaves nothing behind. */
  static async start(options: ClusterOptions): Promise<Cluster> {
    // By default Redis may acknowledge up to two seconds of writes that it has not passed to a busy disk.
    const durability = ["--appendonly", "yes", "--appendfsync", "always"];
    const settings = [...durability, "--maxmemory-policy", "noeviction"];
    const redis = await startRedis(...settings);
    const postgres = await startPostgres().catch(async (error: unknown) => {
      await redis.stop();
      throw error;
    });
    const ports: number[] = [];
    for (const _ of options.engines) ports.push(await freePort());
    const cluster = new Cluster(options, ports, { redis, postgres });
    try {
      await cluster.#start();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** Returns the server that keeps the jobs of a process. */
  storeOf(engine: Engine): RedisServer | PostgresServer {
    return engine === "bullmq" ? this.redis : this.postgres;
  }

  /** Port of the proxy. */
  get port(): number {
    if (this.#proxy === undefined) throw new Error("The proxy has not started.");
    return this.#proxy.port;
  }

  /** Returns the URL of a path behind the proxy. */
  url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** Kills a process, and starts it again on the same port. */
  async restartProcess(index: number): Promise<void> {
    await this.#kill(this.#children[index]);
    await this.startProcess(index);
  }

  /** Sends SIGTERM to a process; returns what is wrong with how it ended, undefined if nothing is. */
  async endProcess(index: number): Promise<string | undefined> {
    const child = this.#children[index];
    if (child === undefined || hasEnded(child)) return `process ${index} had ended before`;
    this.#ending.add(child);
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    const isInTime = await Promise.race([
      exited.then(() => true),
      sleep(stopLimitMs, false, { ref: false }),
    ]);
    if (!isInTime) {
      await this.#kill(child);
      return `process ${index} did not end within ${stopLimitMs} ms after SIGTERM`;
    }
    if (child.exitCode === 0) return undefined;
    return `process ${index} ended with ${child.exitCode ?? child.signalCode}`;
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
    await Promise.all(this.#children.map((child) => this.#kill(child)));
    await this.redis.stop();
    await this.postgres.stop();
  }

  async #start(): Promise<void> {
    writeFileSync(this.#log, "");
    const client = new Pool({ connectionString: this.postgres.url });
    await migratePostgres({ client });
    await client.end();
    await Promise.all(this.ports.map((_, index) => this.startProcess(index)));
    this.#proxy = await startProxy("nginx", this.ports);
  }

  /** Starts a process on its port: also again, after {@link endProcess}. */
  async startProcess(index: number): Promise<void> {
    const child = spawn(process.execPath, [this.#program], {
      env: {
        ...process.env,
        ENGINE: this.engines[index],
        LOG: this.#log,
        PORT: String(this.ports[index]),
        REDIS_PORT: String(this.redis.port),
        POSTGRES_URL: this.postgres.url,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#children[index] = child;
    let output = "";
    child.once("exit", (code, signal) => {
      if (this.#ending.has(child)) return;
      this.crashes.push(`process ${index} ended with ${code ?? signal}: ${output.slice(-500)}`);
    });
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

  async #kill(child: ChildProcess | undefined): Promise<void> {
    if (child === undefined || hasEnded(child)) return;
    this.#ending.add(child);
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

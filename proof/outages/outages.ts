import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { Client } from "pg";
import type { Random } from "../../test/support/random.ts";
import type { Cluster } from "../support/cluster.ts";
import type { Availability, Server } from "./availability.ts";

/** What happens to a server. */
type Kind = "down" | "hung" | "cut";

/** What happens to a cluster: something to a server, or the graceful restart of a process. */
export type Outage = { readonly server: Server; readonly kind: Kind } | "restart";

const outages: readonly Outage[] = [
  ...(["down", "hung", "cut"] as const).flatMap((kind) => [
    { server: "redis", kind } as const,
    { server: "postgres", kind } as const,
  ]),
  "restart",
];

/** Returns all outages in a random order. */
export function shuffled(random: Random): Outage[] {
  return outages
    .map((outage) => ({ outage, place: random.next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ outage }) => outage);
}

/** Name of an outage in results: `redisDown`. */
export function nameOf(outage: Outage): string {
  if (outage === "restart") return outage;
  const { server, kind } = outage;
  return `${server}${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
}

/** Takes a server away and brings it back. `ms` is the time for which it is away; cut connections can be opened at once. */
export async function takeAway(
  cluster: Cluster,
  availability: Availability,
  outage: Exclude<Outage, "restart">,
  ms: number,
): Promise<void> {
  const { server, kind } = outage;
  const target = cluster[server];
  const absence = availability.begin(server, nameOf(outage));
  if (kind === "down") await target.restart(ms);
  else if (kind === "hung") {
    target.signal("SIGSTOP");
    await sleep(ms);
    target.signal("SIGCONT");
  } else if (server === "redis") await cutRedis(cluster);
  else await cutPostgres(cluster);
  absence.backAt = Date.now();
}

async function cutRedis({ redis }: Cluster): Promise<void> {
  const client = new Redis(redis.port);
  await client.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
  client.disconnect();
}

const ofClients = "backend_type = 'client backend' AND pid <> pg_backend_pid()";

async function cutPostgres({ postgres }: Cluster): Promise<void> {
  await queryPostgres(
    postgres.url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ofClients}`,
  );
}

/** Counts the connections of clients, without those of the count. */
export async function countConnections({
  redis,
  postgres,
}: Cluster): Promise<Record<Server, number>> {
  const client = new Redis(redis.port);
  const clients = String(await client.call("CLIENT", "LIST", "TYPE", "normal"))
    .trim()
    .split("\n");
  client.disconnect();
  const [row] = await queryPostgres(
    postgres.url,
    `SELECT count(*) AS n FROM pg_stat_activity WHERE ${ofClients}`,
  );
  return { redis: clients.length - 1, postgres: Number(row?.["n"]) };
}

async function queryPostgres(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

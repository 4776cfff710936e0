import type { RedisConnection } from "./redis-client.ts";

/** Resolves to the policy by which a server evicts keys; undefined if it evicts none. Rejects as the client does. */
export async function readEvictionPolicy({ send }: RedisConnection): Promise<string | undefined> {
  const info = String(await send(["INFO", "memory"]));
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}:(\\S*)`, "m").exec(info)?.[1];
  const policy = field("maxmemory_policy");
  const isUnbounded = field("maxmemory") === "0";
  return policy === undefined || policy === "noeviction" || isUnbounded ? undefined : policy;
}

/**
 * Resolves to a warning about a server that may evict keys of a store; undefined if it evicts none. Rejects as the
 * client does.
 *
 * @param storeName class of the store
 * @param consequence clause about what an eviction does, such as `it may evict a lock`
 */
export async function findEvictionRisk(
  connection: RedisConnection,
  storeName: string,
  consequence: string,
): Promise<string | undefined> {
  const policy = await readEvictionPolicy(connection);
  if (policy === undefined) return undefined;
  return (
    `The Redis server of ${storeName} has the maxmemory-policy "${policy}", so ${consequence}. ` +
    "Set it to noeviction, or keep this data on another server."
  );
}

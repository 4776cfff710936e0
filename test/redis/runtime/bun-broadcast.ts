import { RedisBroadcastAdapter } from "espalier/redis";

interface Bun {
  readonly RedisClient: new (
    url?: string,
  ) => { send(command: string, args: string[]): Promise<unknown> };
}

/** Publishes a count until it is ended, and prints the counts that arrive. */
const { RedisClient } = (globalThis as unknown as { readonly Bun: Bun }).Bun;
const adapter = new RedisBroadcastAdapter({ client: new RedisClient(process.env["REDIS_URL"]) });
await adapter.subscribe("counts", (message) => console.log(`received ${message}`));
const unsubscribe = await adapter.subscribe("other", () => console.log("unexpected"));
unsubscribe();
console.log("listening redis");
let count = 0;
setInterval(() => {
  count += 1;
  adapter.publish("counts", String(count)).catch(() => {});
  adapter.publish("other", "nobody subscribes to this").catch(() => {});
}, 100);

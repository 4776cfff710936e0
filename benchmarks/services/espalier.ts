import type * as Main from "espalier";
import type * as Bullmq from "espalier/bullmq";
import type * as Postgres from "espalier/postgres";

/** Loads an entry of the built package: in this folder, the name of the package is that of the benchmarks. */
async function load<Entry>(name: string): Promise<Entry> {
  const url = new URL(`../../dist/${name}.js`, import.meta.url);
  return (await import(url.href)) as Entry; // the build has the names of the source
}

const main = await load<typeof Main>("index");
const bullmq = await load<typeof Bullmq>("bullmq");
const postgres = await load<typeof Postgres>("postgres");

export const Cache: typeof Main.Cache = main.Cache;
export const MemoryCacheStore: typeof Main.MemoryCacheStore = main.MemoryCacheStore;
export const MemoryQueueAdapter: typeof Main.MemoryQueueAdapter = main.MemoryQueueAdapter;
export const Queue: typeof Main.Queue = main.Queue;
export const BullmqQueueAdapter: typeof Bullmq.BullmqQueueAdapter = bullmq.BullmqQueueAdapter;
export const migratePostgres: typeof Postgres.migratePostgres = postgres.migratePostgres;
export const PostgresQueueAdapter: typeof Postgres.PostgresQueueAdapter =
  postgres.PostgresQueueAdapter;

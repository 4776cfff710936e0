export {
  PostgresBroadcastAdapter,
  type PostgresBroadcastAdapterOptions,
} from "./postgres/postgres-broadcast-adapter.ts";
export type {
  DrizzleDatabase,
  PgClient,
  PgListener,
  PgPool,
  PgPreparedStatement,
  PostgresClient,
  PostgresJsClient,
  PostgresRow,
  PostgresValue,
  RunPostgresQuery,
} from "./postgres/postgres-client.ts";
export { PostgresLockStore } from "./postgres/postgres-lock-store.ts";
export type { PostgresStoreOptions } from "./postgres/postgres-options.ts";
export {
  PostgresQueueAdapter,
  type PostgresQueueAdapterOptions,
} from "./postgres/postgres-queue-adapter.ts";
export {
  PostgresRateLimitStore,
  type PostgresRateLimitStoreOptions,
} from "./postgres/postgres-rate-limit-store.ts";
export { migratePostgres, postgresTables } from "./postgres/postgres-tables.ts";

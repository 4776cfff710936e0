import type {
  RateLimitAttempt,
  RateLimitDecision,
  RateLimitStore,
} from "../rate-limit/rate-limit-store.ts";
import type { OptionNames } from "../util/options.ts";
import { ExpiredRows } from "./expired-rows.ts";
import type { PostgresConnection } from "./postgres-client.ts";
import { checkPostgresOptions, type PostgresStoreOptions } from "./postgres-options.ts";

/** Options of {@link PostgresRateLimitStore}. */
export interface PostgresRateLimitStoreOptions extends PostgresStoreOptions {
  /** Returns milliseconds since the epoch; default: the clock of the server, one for all processes. */
  readonly now?: () => number;
}

const optionNames: OptionNames<PostgresRateLimitStoreOptions> = {
  client: true,
  schema: true,
  now: true,
};

/** `$3`: the time of the caller, in milliseconds; null: that of the server. Read when the row is locked. */
const now = "coalesce($3::bigint, floor(extract(epoch from clock_timestamp()) * 1000)::bigint)";

/**
 * The admitted requests of the window that ends at a time, oldest first. A time in the future, after the clock was
 * set back, counts as that time: it would block the client until the clock catches up.
 */
const liveAt = (time: string): string => `array(
  select least(hit, ${time}) from unnest(counted.hits) with ordinality as earlier (hit, position)
  where hit > ${time} - $4::bigint order by position)`;

/**
 * Counts requests in PostgreSQL, exactly and for all processes of an application: no interval of the length of
 * the window contains more admitted requests than the limit.
 *
 * One statement for each request, which locks the row of its key. A rejected request usually writes nothing.
 *
 * @example app.use(new RateLimitMiddleware({ limit: 100, store: new PostgresRateLimitStore({ client: pool }) }));
 */
export class PostgresRateLimitStore implements RateLimitStore {
  readonly #connection: PostgresConnection;
  readonly #table: string;
  readonly #now: (() => number) | undefined;
  readonly #expired: ExpiredRows;
  /** Each request reads the times of its key's window: with 10,000 of them, a statement takes up to 100 ms. */
  readonly maxLimit: number = 10_000;

  /** @throws EspalierError `ERR_POSTGRES_BAD_OPTION`, `ERR_POSTGRES_BAD_CLIENT` */
  constructor(options: PostgresRateLimitStoreOptions) {
    const checked = checkPostgresOptions("PostgresRateLimitStore", options, optionNames);
    this.#connection = checked.connection;
    this.#table = `${checked.schema}.rate_limits`;
    this.#now = options.now;
    this.#expired = new ExpiredRows(
      this.#connection,
      this.#table,
      "expires_at < clock_timestamp()",
    );
  }

  /** Admits and counts a request, or rejects it. */
  async consume({ key, limit, windowMs }: RateLimitAttempt): Promise<RateLimitDecision> {
    this.#expired.countCall();
    const nowMs = this.#now === undefined ? null : Math.floor(this.#now());
    const expiry = "clock_timestamp() + $4::bigint * interval '1 millisecond'";
    const [row] = await this.#connection.query(
      `with written as (
         insert into ${this.#table} as counted (key, hits, admitted, expires_at)
         values ($1::text, array[${now}], true, ${expiry})
         on conflict (key) do update set expires_at = ${expiry}, (hits, admitted) = (
           select case when cardinality(live) < $2::int then live || time else live end, cardinality(live) < $2::int
           from (select ${now} as time) as clock cross join lateral (select ${liveAt("time")} as live) as history
         )
         where cardinality(${liveAt(now)}) < $2::int or ${now} < any (counted.hits)
         returning hits, admitted
       )
       select admitted as allowed, to_json(hits)::text as hits, (${now})::float8 as now from written
       union all
       select false, to_json(${liveAt(now)})::text, (${now})::float8 from ${this.#table} as counted
       where key = $1::text and not exists (select from written)`,
      [key, limit, nowMs, Math.ceil(windowMs)],
    );
    // Rejected because of requests that were admitted since the statement began.
    if (row === undefined) return { allowed: false, remaining: 0, resetMs: windowMs };
    const allowed = row["allowed"] === true;
    const hits = JSON.parse(String(row["hits"])) as number[]; // an array of integers by the statement
    const oldest = hits[Math.max(0, hits.length - limit)] ?? Number(row["now"]);
    return {
      allowed,
      remaining: allowed ? Math.max(0, limit - hits.length) : 0,
      resetMs: Math.max(0, oldest + windowMs - Number(row["now"])),
    };
  }
}

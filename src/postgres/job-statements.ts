import { encodedColumns, jobColumns } from "./job-rows.ts";

/** Statements of the queue, for one schema. */
export interface JobStatements {
  /** `$1`: encoded jobs, `$2`: channel to notify, or null. */
  readonly push: string;
  /** `$1`: JSON list of `{ name, room, leaseMs }`, `$2`: maximum number of jobs. */
  readonly pull: string;
  /** `$1`: id, `$2`: lease, `$3`: length in milliseconds. */
  readonly renew: string;
  /** `$1`: JSON list of `{ id, lease }`. Returns the leases that were not stale. */
  readonly ack: string;
  /** `$1`: id, `$2`: lease, `$3`: milliseconds until the next attempt. */
  readonly retry: string;
  /** `$1`: id, `$2`: lease, `$3`: channel to notify, or null. */
  readonly release: string;
  /** `$1`: id, `$2`: lease, `$3`: message of the error. */
  readonly dead: string;
  /** `$1`: maximum number of jobs. */
  readonly failed: string;
  /** `$1`: id, `$2`: channel to notify, or null. */
  readonly retryFailed: string;
  /** `$1`: id. */
  readonly discardFailed: string;
  readonly counts: string;
  /** `$1`: id. */
  readonly find: string;
  /** `$1`: id. */
  readonly cancel: string;
}

const isLeased = "lease is not null and due_at > clock_timestamp()";
const state = `case when due_at <= clock_timestamp() then 'waiting' when lease is null then 'delayed' else 'running' end`;

/** Time of the server's clock, so many milliseconds from now. */
function later(ms: string): string {
  return `clock_timestamp() + ${ms} * interval '1 millisecond'`;
}

/** A condition that is always true, and sends a notification when the transaction commits. */
function notify(channel: string): string {
  return `case when ${channel}::text is null then true else pg_notify(${channel}::text, '') is not null end`;
}

/** Writes the statements. Each is atomic; a job that another process has locked is skipped, not waited for. */
export function writeJobStatements(schema: string): JobStatements {
  const jobs = `${schema}.jobs`;
  const failedJobs = `${schema}.failed_jobs`;
  const keptIds = `${schema}.kept_ids`;
  return {
    push: `
with pushed as (
  select * from json_to_recordset($1::text::json) as job (${encodedColumns})
), kept as (
  insert into ${keptIds} as taken (id, expires_at)
  select distinct on (id) id, to_timestamp(("enqueuedAt" + "keepIdMs") / 1000) from pushed where "keepIdMs" > 0
  on conflict (id) do update set expires_at = excluded.expires_at where taken.expires_at <= clock_timestamp()
  returning id
), stored as (
  insert into ${jobs} (id, name, payload, priority, due_at, attempt, max_attempts, enqueued_at, keep_id_ms, backoff)
  select id, name, payload::json, priority, ${later('"waitMs"')}, attempt, "maxAttempts",
    to_timestamp("enqueuedAt" / 1000), "keepIdMs", backoff::json
  from pushed
  where case when "hasGeneratedId" then true when "keepIdMs" > 0 then id in (select id from kept) else not exists (
    select from ${keptIds} as taken where taken.id = pushed.id and expires_at > clock_timestamp()
  ) end
  on conflict (id) do nothing
  returning due_at
)
select ${notify("$2")} as notified from (select min(due_at) as due_at from stored) as first
where due_at <= clock_timestamp()`,

    pull: `
with wanted as (
  select * from json_to_recordset($1::text::json) as name (name text, room int, "leaseMs" float8)
), next as (
  select found.id, found.due_at, wanted."leaseMs" from wanted cross join lateral (
    select id, priority, due_at, position from ${jobs}
    where name = wanted.name and due_at <= statement_timestamp()
    order by priority desc, due_at, position limit wanted.room
    for update skip locked
  ) as found
  order by found.priority desc, found.due_at, found.position limit $2::int
), leased as (
  update ${jobs} as job
  set attempt = job.attempt + 1, lease = gen_random_uuid()::text, due_at = ${later('next."leaseMs"')}
  from next where job.id = next.id
  returning job.*, next.due_at as was_due_at
)
select ${jobColumns}, lease, (extract(epoch from was_due_at) * 1000)::float8 as due_at
from leased order by priority desc, was_due_at, position`,

    renew: `
update ${jobs} set due_at = ${later("$3::float8")} where id = $1::text and lease = $2::text returning 1 as found`,

    ack: `
delete from ${jobs} as job using json_to_recordset($1::text::json) as done (id text, lease text)
where job.id = done.id and job.lease = done.lease returning job.lease`,

    retry: `
update ${jobs} set due_at = ${later("$3::float8")}, lease = null
where id = $1::text and lease = $2::text returning 1 as found`,

    release: `
with released as (
  update ${jobs} set due_at = clock_timestamp(), lease = null, attempt = attempt - 1
  where id = $1::text and lease = $2::text returning id
)
select ${notify("$3")} as notified from released`,

    dead: `
with ended as (
  delete from ${jobs} where id = $1::text and lease = $2::text returning *
)
insert into ${failedJobs}
  (id, name, payload, priority, attempt, max_attempts, enqueued_at, keep_id_ms, backoff, error, failed_at)
select id, name, payload, priority, attempt, max_attempts, enqueued_at, keep_id_ms, backoff, $3::text, clock_timestamp()
from ended
on conflict (id) do update set (name, payload, priority, attempt, max_attempts, enqueued_at, keep_id_ms, backoff, error, failed_at)
  = (excluded.name, excluded.payload, excluded.priority, excluded.attempt, excluded.max_attempts, excluded.enqueued_at,
     excluded.keep_id_ms, excluded.backoff, excluded.error, excluded.failed_at)
returning 1 as found`,

    failed: `
select ${jobColumns}, error, round(extract(epoch from failed_at) * 1000)::float8 as failed_at
from ${failedJobs} order by failed_at limit $1::int`,

    // Of a job whose id is pending again the failed one is dropped: equal ids are one job.
    retryFailed: `
with again as (
  delete from ${failedJobs} where id = $1::text returning *
), stored as (
  insert into ${jobs} (id, name, payload, priority, due_at, attempt, max_attempts, enqueued_at, keep_id_ms, backoff)
  select id, name, payload, priority, clock_timestamp(), 0, max_attempts, enqueued_at, keep_id_ms, backoff from again
  on conflict (id) do nothing
)
select ${notify("$2")} as notified from again`,

    discardFailed: `delete from ${failedJobs} where id = $1::text returning 1 as found`,

    counts: `
select count(*) filter (where state = 'waiting')::float8 as waiting, count(*) filter (where state = 'delayed')::float8 as delayed,
  count(*) filter (where state = 'running')::float8 as running, (select count(*) from ${failedJobs})::float8 as failed
from (select ${state} as state from ${jobs}) as states`,

    find: `
select ${jobColumns}, ${state} as state, null as error from ${jobs} where id = $1::text
union all
select ${jobColumns}, 'failed', error from ${failedJobs}
where id = $1::text and not exists (select from ${jobs} where id = $1::text)`,

    cancel: `delete from ${jobs} where id = $1::text and not (${isLeased}) returning 1 as found`,
  };
}

import type { Job } from "bullmq";
import type { BullmqQueue } from "./bullmq-ids.ts";

/** States of a job that may be removed, each with the sets and lists of BullMQ that have the ids of its jobs. */
const keysByState = {
  pending: ["delayed", "prioritized", "wait", "paused"],
  failed: ["failed"],
  finished: ["failed", "completed"],
} as const;

/**
 * Removes a job if its id is in one of KEYS[4] and after. Unlike BullMQ's removal, it leaves the deduplication key
 * until it expires: the id stays taken for the rest of `keepIdMs`.
 *
 * KEYS: job, meta, events, sets and lists. ARGV: id of the job, prefix of keys. Returns 1 if it was removed, 0 if it
 * has another state, 2 if it belongs to a flow or a job scheduler.
 */
const script = `
local job, meta, events = KEYS[1], KEYS[2], KEYS[3]
local id, prefix = ARGV[1], ARGV[2]
if redis.call("EXISTS", job .. ":lock") == 1 then return 0 end
local children = redis.call("EXISTS", job .. ":dependencies", job .. ":processed", job .. ":failed", job .. ":unsuccessful")
local isChild = (redis.call("HGET", job, "parentKey") or "") ~= ""
if isChild or children > 0 or redis.call("HEXISTS", job, "rjk") == 1 then return 2 end
local removed = 0
for index = 4, #KEYS do
  local isList = redis.call("TYPE", KEYS[index]).ok == "list"
  if isList then
    removed = removed + redis.call("LREM", KEYS[index], 1, id)
  else
    removed = removed + redis.call("ZREM", KEYS[index], id)
  end
end
if removed == 0 then return 0 end
local deduplicationId = redis.call("HGET", job, "deid")
if deduplicationId then
  local key = prefix .. "de:" .. deduplicationId
  if redis.call("GET", key) == id and redis.call("PTTL", key) == -1 then
    redis.call("DEL", key, prefix .. "dn:" .. deduplicationId)
  end
end
redis.call("DEL", job, job .. ":logs")
local maxEvents = redis.call("HGET", meta, "opts.maxLenEvents") or 10000
redis.call("XADD", events, "MAXLEN", "~", maxEvents, "*", "event", "removed", "jobId", id)
return 1
`;

/**
 * Removes a job if it still has the state, in one step: another process may have moved it since it was read. Its id
 * stays taken for the rest of `keepIdMs`.
 *
 * @returns false if the job has another state, or is gone
 */
export async function removeJob(
  queue: BullmqQueue,
  job: Job,
  state: keyof typeof keysByState,
): Promise<boolean> {
  const { id = "" } = job;
  const client = await queue.backend.client;
  const command = `espalierRemove:${state}`;
  const sets = keysByState[state];
  // Redis keeps the script: a repeated definition is cheap, and removals are rare.
  client.defineCommand(command, { numberOfKeys: 3 + sets.length, lua: script });
  const keys = [id, "meta", "events", ...sets].map((name) => queue.toKey(name));
  const result: unknown = await client.runCommand(command, [...keys, id, queue.toKey("")]);
  // Only other producers add such jobs. BullMQ also updates the parent, and refuses the next job of a scheduler; it
  // does not check the state, so another process may still move the job before this call.
  if (result === 2) await job.remove();
  return result !== 0;
}

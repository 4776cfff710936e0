import type { Application } from "espalier";
import { sql } from "kysely";
import type { Database } from "../database/database.ts";

/** Every working day at 07:00 UTC. On Cloudflare, wrangler.toml needs a trigger with the same expression. */
const workingDays = "0 7 * * MON-FRI";

/**
 * Registers the digest of open tickets, which every agent receives once, however many instances run.
 *
 * @param cron when it is sent; default: every working day
 */
export function registerDigest(app: Application, cron: string = workingDays): void {
  app.schedule(cron, "digest.prepare", { once: true });
  app.getQueue().process("digest.prepare", async ({ payload }, { resolve }) => {
    const day = new Date(payload.scheduledTime).toISOString().slice(0, 10);
    const digests = await listDigests(resolve("database"));
    await app.getQueue().enqueueMany(
      digests.map(({ id, email, name, organisation, open }) => ({
        name: "mail.send",
        // A digest of the day is one message, also if this job runs twice.
        id: `digest:${day}:${id}`,
        payload: {
          to: email,
          subject: `${organisation}: ${open} open tickets`,
          text: `Good morning ${name},\n\n${open} tickets of ${organisation} are open.\n`,
        },
      })),
    );
  });
}

/** Returns the agents and admins of organisations with open tickets, and how many are open. */
async function listDigests({ query }: Database) {
  return await query
    .selectFrom("users")
    .innerJoin("organisations", "organisations.id", "users.organisationId")
    .innerJoin("tickets", "tickets.organisationId", "organisations.id")
    .select(["users.id", "users.email", "users.name", "organisations.name as organisation"])
    // Cast, because PostgreSQL's client returns 64-bit counts as strings.
    .select(sql<number>`CAST(count(*) AS INTEGER)`.as("open"))
    .where("users.role", "in", ["agent", "admin"])
    .where("tickets.status", "=", "open")
    .groupBy(["users.id", "users.email", "users.name", "organisations.name"])
    .orderBy("users.id")
    .execute();
}

import type { Application, ResolveService } from "espalier";
import { isStaff } from "../access/signed-in-user.ts";
import type { NewJob } from "../database/database.ts";
import { Tickets } from "../repositories/tickets.ts";
import type { TicketChange } from "../services/ticket-change.ts";

/** Deliveries are retried for about 40 minutes while a provider or a receiver is down. */
const delivery = { maxAttempts: 10, backoff: { delayMs: 5_000 } } as const;

const subjects = {
  "ticket.opened": "New ticket",
  "ticket.updated": "Ticket changed",
  "ticket.commented": "New comment",
} as const;

/** Registers the job that turns a change into one job for each message and each webhook. */
export function registerNotifications(app: Application): void {
  app.getQueue().process("ticket.changed", async ({ payload: change }, { resolve }) => {
    const jobs = [...(await messagesFor(change, resolve)), ...(await webhooksFor(change, resolve))];
    await app.getQueue().enqueueMany(jobs.map((job) => ({ ...job, ...delivery })));
  });
}

/** Returns the mails about a change: to the customer and the assignee, except for the user who made it. */
async function messagesFor(change: TicketChange, resolve: ResolveService): Promise<NewJob[]> {
  const { organisationId, ticketId, customerId, actorId } = change;
  const ticket = await new Tickets(resolve("database"), organisationId).find(ticketId);
  if (ticket === undefined) return [];
  const ids = [customerId, ticket.assigneeId].filter((id) => id !== null && id !== actorId);
  if (ids.length === 0) return [];
  const recipients = await resolve("accounts").recipients(organisationId, ids as string[]);
  return recipients
    .filter((recipient) => recipient.id === customerId || isStaff(recipient))
    .map(({ id, email, name }) => ({
      name: "mail.send",
      // If this job runs twice, each message has the same id: while one waits, it is enqueued once.
      id: `${change.id}:${id}`,
      payload: {
        to: email,
        subject: `${subjects[change.type]}: ${ticket.subject}`,
        text: `Hello ${name},\n\nticket ${ticketId} is ${ticket.status}.\n`,
      },
    }));
}

/** Returns a delivery for each webhook of the organisation. */
async function webhooksFor(change: TicketChange, resolve: ResolveService): Promise<NewJob[]> {
  const webhooks = await resolve("webhooks").list(change.organisationId);
  return webhooks.map(({ id }) => ({
    name: "webhook.deliver",
    id: `${change.id}:${id}`,
    payload: { webhookId: id, change },
  }));
}

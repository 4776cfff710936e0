import type { Application, ServerSentEvent } from "espalier";
import { isStaff, type SignedInUser } from "../access/signed-in-user.ts";
import type { TicketChange } from "./ticket-change.ts";

/** Changes that wait for a slow client; beyond it the stream ends, and the client reads the tickets again. */
const maxWaiting = 1000;

/**
 * Yields the changes of an organisation that a user may see, in all instances of the application. The first event,
 * `ready`, says that later changes arrive: a client reads the tickets after it, so that it misses none.
 */
export async function* followTickets(
  app: Application,
  user: SignedInUser,
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvent> {
  const waiting: TicketChange[] = [];
  let wake = (): void => {};
  const subscription = app.onBroadcast(`tickets.${user.organisationId}`, (change) => {
    if (!isStaff(user) && change.customerId !== user.id) return;
    waiting.push(change);
    wake();
  });
  signal.addEventListener("abort", () => wake());
  try {
    await subscription.ready;
    yield { event: "ready", data: {} };
    while (!signal.aborted && waiting.length <= maxWaiting) {
      const change = waiting.shift();
      if (change === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else {
        const { id, type, ticketId, actorId, at } = change;
        yield { id, event: type, data: { ticketId, actorId, at } };
      }
    }
  } finally {
    subscription.unsubscribe();
  }
}

import type { Middleware, RequestContext } from "espalier";
import type { Ticket } from "../database/tables.ts";
import { NotFound } from "../errors.ts";
import { isStaff } from "./signed-in-user.ts";

const load: Middleware = async (ctx, next) => {
  const user = ctx.requireUser();
  const ticket = await ctx.resolve("tickets").find(ctx.params["ticket"] ?? "");
  const isVisible = ticket !== undefined && (isStaff(user) || ticket.customerId === user.id);
  // Not a 403, which would reveal that the ticket exists.
  if (!isVisible) throw new NotFound("ticket");
  ctx.state.ticket = ticket;
  return next();
};

/** Loads the ticket of the path: staff see each of their organisation, customers their own. */
export const loadTicket = Object.assign(load, {
  documentation: {
    responses: { 404: "The ticket does not exist, or is not visible to the user." },
  },
});

/** Returns the ticket of the path; for routes behind the middleware `ticket`. */
export function ticketOf({ state: { ticket } }: Pick<RequestContext, "state">): Ticket {
  if (ticket === undefined) throw new Error('This route requires the middleware "ticket".');
  return ticket;
}

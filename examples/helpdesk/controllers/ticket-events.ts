import { Controller, sse } from "espalier";
import { followTickets } from "../services/follow-tickets.ts";

/** Sends the changes of tickets that the user may see, as server-sent events. */
export class TicketEvents extends Controller.for({ middleware: ["auth"] }) {
  async handle() {
    const { app, user } = this;
    const { exp = 0 } = this.context.state.claims as { readonly exp?: number };
    return sse((signal) => {
      // Ends with the token: a client that lost its access must not follow longer than it may read.
      const expired = AbortSignal.timeout(Math.max(0, exp * 1000 - Date.now()));
      return followTickets(app, user, AbortSignal.any([signal, expired]));
    });
  }
}

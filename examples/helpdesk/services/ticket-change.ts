/** A change of a ticket: payload of jobs, broadcasts, webhooks and server-sent events. */
export interface TicketChange {
  readonly id: string;
  readonly type: "ticket.opened" | "ticket.updated" | "ticket.commented";
  readonly organisationId: string;
  readonly ticketId: string;
  readonly customerId: string;
  /** User who made the change. */
  readonly actorId: string;
  /** ISO 8601. */
  readonly at: string;
}

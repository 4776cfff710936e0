import { Controller, cursorPageOf, cursorRules, paginateByCursor, ValidationError } from "espalier";
import { ticketOf } from "../access/load-ticket.ts";
import { isStaff } from "../access/signed-in-user.ts";
import type { Ticket } from "../database/tables.ts";
import type { TicketChanges } from "../repositories/tickets.ts";
import { newTicketRules, ticketChangeRules, ticketFilterRules } from "../rules.ts";
import { pick, ticketView } from "../views.ts";
import { readPosition } from "./read-position.ts";

export class ListTickets extends Controller.for({
  inject: ["tickets"],
  middleware: ["auth"],
  query: { ...cursorRules(), ...ticketFilterRules },
  responses: { 200: cursorPageOf(ticketView) },
}) {
  async handle() {
    const { cursor, limit, status } = this.query;
    const tickets = await this.services.tickets.list({
      customerId: isStaff(this.user) ? undefined : this.user.id,
      status,
      before: readPosition(cursor),
      limit,
    });
    return paginateByCursor(this.context, {
      items: tickets.map(viewTicket),
      limit,
      cursorOf: ({ createdAt, id }) => [createdAt, id],
    });
  }
}

export class OpenTicket extends Controller.for({
  inject: ["desk"],
  middleware: ["auth"],
  body: newTicketRules,
  responses: { 201: { data: ticketView } },
}) {
  async handle() {
    const ticket = await this.services.desk.open(this.user.id, this.body);
    const { organisation } = this.user;
    return this.created(viewTicket(ticket), `/api/${organisation}/tickets/${ticket.id}`);
  }
}

export class ShowTicket extends Controller.for({ responses: { 200: { data: ticketView } } }) {
  async handle() {
    return this.success(viewTicket(ticketOf(this.context)));
  }
}

export class UpdateTicket extends Controller.for({
  inject: ["desk", "accounts"],
  middleware: ["auth"],
  body: ticketChangeRules,
  responses: { 200: { data: ticketView } },
}) {
  async handle() {
    const { desk, accounts } = this.services;
    const { status, assigneeId } = this.body;
    if (typeof assigneeId === "string") {
      const assignee = await accounts.find(this.user.organisationId, assigneeId);
      if (assignee === undefined || !isStaff(assignee)) {
        const message = "assigneeId must be the id of an agent or admin";
        throw new ValidationError([{ field: "assigneeId", message }]);
      }
    }
    const changes: TicketChanges = {
      ...(status === undefined ? {} : { status }),
      ...(assigneeId === undefined ? {} : { assigneeId }),
    };
    const ticket = await desk.update(ticketOf(this.context), changes, this.user.id);
    return this.success(viewTicket(ticket));
  }
}

/** Counts the tickets of the organisation by state. */
export class CountTickets extends Controller.for({
  inject: ["tickets"],
  middleware: ["auth"],
  responses: {
    200: {
      data: {
        open: { type: "integer", required: true },
        pending: { type: "integer", required: true },
        solved: { type: "integer", required: true },
      },
    },
  },
}) {
  async handle() {
    const { tickets } = this.services;
    // Computed at most every ten seconds, by one instance for all; clients poll it.
    const counts = await this.app.cache
      .namespace(`organisation:${this.user.organisationId}`)
      .remember("counts", () => tickets.countByStatus(), 10_000, { across: true });
    return this.success(counts);
  }
}

function viewTicket(ticket: Omit<Ticket, "organisationId">) {
  return pick(ticket, [
    "id",
    "subject",
    "body",
    "status",
    "customerId",
    "assigneeId",
    "createdAt",
    "updatedAt",
  ]);
}

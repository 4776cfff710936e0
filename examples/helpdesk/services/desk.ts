import type { Application } from "espalier";
import type { CompiledQuery } from "kysely";
import type { Database } from "../database/database.ts";
import type { Comment, Ticket } from "../database/tables.ts";
import { Comments } from "../repositories/comments.ts";
import { type TicketChanges, Tickets } from "../repositories/tickets.ts";
import type { TicketChange } from "./ticket-change.ts";

/** Dependencies of a {@link Desk}. */
export interface DeskDependencies {
  readonly app: Application;
  readonly database: Database;
  readonly organisationId: string;
  readonly now: () => Date;
}

/** A new ticket or comment; `source` is the id of the webhook that brought it, if any. */
export interface Entry {
  readonly body: string;
  readonly source?: string;
}

/**
 * Changes tickets of one organisation. A change is stored together with the job that notifies others, and then
 * broadcast to the clients that follow the organisation.
 */
export class Desk {
  readonly #dependencies: DeskDependencies;
  readonly #tickets: Tickets;
  readonly #comments: Comments;

  constructor(dependencies: DeskDependencies) {
    const { database, organisationId } = dependencies;
    this.#dependencies = dependencies;
    this.#tickets = new Tickets(database, organisationId);
    this.#comments = new Comments(database);
  }

  async open(customerId: string, { subject, body, source }: Entry & { subject: string }) {
    const createdAt = this.#now();
    const ticket = {
      id: crypto.randomUUID(),
      customerId,
      assigneeId: null,
      subject,
      body,
      status: "open" as const,
      source: source ?? null,
      createdAt,
      updatedAt: createdAt,
    };
    const change = this.#change("ticket.opened", ticket, customerId, createdAt);
    await this.#commit([this.#tickets.insert(ticket)], change);
    return ticket;
  }

  async update(ticket: Ticket, changes: TicketChanges, actorId: string): Promise<Ticket> {
    const updatedAt = this.#now();
    const change = this.#change("ticket.updated", ticket, actorId, updatedAt);
    await this.#commit([this.#tickets.update(ticket.id, changes, updatedAt)], change);
    return { ...ticket, ...changes, updatedAt };
  }

  /** Adds a comment; one of the customer opens a ticket again that was pending or solved. */
  async comment(ticket: Ticket, { body, source }: Entry, authorId: string): Promise<Comment> {
    const createdAt = this.#now();
    const comment = {
      id: crypto.randomUUID(),
      ticketId: ticket.id,
      authorId,
      body,
      source: source ?? null,
      createdAt,
    };
    const changes = authorId === ticket.customerId ? ({ status: "open" } as const) : {};
    const statements = [
      this.#comments.insert(comment),
      this.#tickets.update(ticket.id, changes, createdAt),
    ];
    const change = this.#change("ticket.commented", ticket, authorId, createdAt);
    await this.#commit(statements, change);
    return comment;
  }

  async #commit(statements: readonly CompiledQuery[], change: TicketChange): Promise<void> {
    const { app, database, organisationId } = this.#dependencies;
    const job = { name: "ticket.changed", payload: change, id: change.id } as const;
    await database.commit(statements, [job]);
    // Not awaited: the change is stored, and must not fail because the broadcast does. The error is logged.
    void app.broadcast(`tickets.${organisationId}`, change);
  }

  #change(
    type: TicketChange["type"],
    { id: ticketId, customerId }: Pick<Ticket, "id" | "customerId">,
    actorId: string,
    at: string,
  ): TicketChange {
    const { organisationId } = this.#dependencies;
    return { id: crypto.randomUUID(), type, organisationId, ticketId, customerId, actorId, at };
  }

  #now(): string {
    return this.#dependencies.now().toISOString();
  }
}

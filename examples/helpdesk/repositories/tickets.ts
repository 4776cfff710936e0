import type { CompiledQuery } from "kysely";
import type { Database } from "../database/database.ts";
import type { Status, Ticket } from "../database/tables.ts";

/** Tickets of a page; values that are undefined select all. */
export interface TicketFilter {
  readonly customerId?: string | undefined;
  readonly status?: Status | undefined;
  /** Creation time and id of the last ticket of the previous page. */
  readonly before: readonly [string, string] | undefined;
  readonly limit: number;
}

export type TicketChanges = Partial<Pick<Ticket, "status" | "assigneeId">>;

/** Tickets of one organisation: every statement has its id, so that a handler cannot forget it. */
export class Tickets {
  readonly #database: Database;
  readonly #organisationId: string;

  constructor(database: Database, organisationId: string) {
    this.#database = database;
    this.#organisationId = organisationId;
  }

  find(id: string): Promise<Ticket | undefined> {
    return this.#select().where("id", "=", id).executeTakeFirst();
  }

  /** Returns the ticket that a webhook opened. */
  findBySource(source: string): Promise<Ticket | undefined> {
    return this.#select().where("source", "=", source).executeTakeFirst();
  }

  /** Returns a page, newest first; one ticket more than `limit` if there are more. */
  list({ customerId, status, before, limit }: TicketFilter): Promise<Ticket[]> {
    let select = this.#select();
    if (customerId !== undefined) select = select.where("customerId", "=", customerId);
    if (status !== undefined) select = select.where("status", "=", status);
    if (before !== undefined) {
      select = select.where(({ eb, refTuple, tuple }) =>
        eb(refTuple("createdAt", "id"), "<", tuple(...before)),
      );
    }
    return select
      .orderBy("createdAt", "desc")
      .orderBy("id", "desc")
      .limit(limit + 1)
      .execute();
  }

  /** Returns the number of tickets in each state. */
  async countByStatus(): Promise<Record<Status, number>> {
    const rows = await this.#database.query
      .selectFrom("tickets")
      .select((select) => ["status", select.fn.countAll().as("count")])
      .where("organisationId", "=", this.#organisationId)
      .groupBy("status")
      .execute();
    const counts = { open: 0, pending: 0, solved: 0 };
    // PostgreSQL counts in 64 bits, which its client returns as a string.
    for (const { status, count } of rows) counts[status] = Number(count);
    return counts;
  }

  /** Returns the statement that adds a ticket. */
  insert(ticket: Omit<Ticket, "organisationId">): CompiledQuery {
    const row = { ...ticket, organisationId: this.#organisationId };
    return this.#database.query.insertInto("tickets").values(row).compile();
  }

  /** Returns the statement that changes a ticket. */
  update(id: string, changes: TicketChanges, updatedAt: string): CompiledQuery {
    return this.#database.query
      .updateTable("tickets")
      .set({ ...changes, updatedAt })
      .where("organisationId", "=", this.#organisationId)
      .where("id", "=", id)
      .compile();
  }

  #select() {
    return this.#database.query
      .selectFrom("tickets")
      .selectAll()
      .where("organisationId", "=", this.#organisationId);
  }
}

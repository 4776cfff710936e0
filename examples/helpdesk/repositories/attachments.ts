import type { Database } from "../database/database.ts";
import type { Attachment } from "../database/tables.ts";

/** Descriptions of attachments; a file store has their content. Callers have found the ticket. */
export class Attachments {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(ticketId: string): Promise<Attachment[]> {
    return this.#database.query
      .selectFrom("attachments")
      .selectAll()
      .where("ticketId", "=", ticketId)
      .orderBy("createdAt")
      .orderBy("id")
      .execute();
  }

  find(ticketId: string, id: string): Promise<Attachment | undefined> {
    return this.#database.query
      .selectFrom("attachments")
      .selectAll()
      .where("ticketId", "=", ticketId)
      .where("id", "=", id)
      .executeTakeFirst();
  }

  /** Adds an attachment, unless the ticket has `maximum`; returns false in that case. */
  async add(attachment: Attachment, maximum: number): Promise<boolean> {
    const { query } = this.#database;
    const { count } = await query
      .selectFrom("attachments")
      .select((select) => select.fn.countAll().as("count"))
      .where("ticketId", "=", attachment.ticketId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= maximum) return false;
    await query.insertInto("attachments").values(attachment).execute();
    return true;
  }
}

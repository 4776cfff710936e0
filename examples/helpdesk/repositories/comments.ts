import type { CompiledQuery } from "kysely";
import type { Database } from "../database/database.ts";
import type { Comment } from "../database/tables.ts";

/** Comments of tickets. Callers have found the ticket in their organisation. */
export class Comments {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns a page, oldest first; one comment more than `limit` if there are more. */
  list(ticketId: string, after: readonly [string, string], limit: number): Promise<Comment[]> {
    return this.#database.query
      .selectFrom("comments")
      .selectAll()
      .where("ticketId", "=", ticketId)
      .where(({ eb, refTuple, tuple }) => eb(refTuple("createdAt", "id"), ">", tuple(...after)))
      .orderBy("createdAt")
      .orderBy("id")
      .limit(limit + 1)
      .execute();
  }

  /** Returns the comment that a webhook added. */
  findBySource(source: string): Promise<Comment | undefined> {
    return this.#database.query
      .selectFrom("comments")
      .selectAll()
      .where("source", "=", source)
      .executeTakeFirst();
  }

  /** Returns the statement that adds a comment. */
  insert(comment: Comment): CompiledQuery {
    return this.#database.query.insertInto("comments").values(comment).compile();
  }
}

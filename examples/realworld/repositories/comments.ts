import { type Sql, sql } from "../database/sql.ts";
import type { SqlDatabase } from "../database/sql-database.ts";
import { type Profile, type ProfileRow, profileColumns, profileFromRow } from "./profiles.ts";

export interface Comment {
  readonly id: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly body: string;
  readonly author: Profile;
}

interface CommentRow extends ProfileRow {
  readonly id: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly body: string;
}

export class Comments {
  readonly #database: SqlDatabase;
  readonly #now: () => Date;

  constructor(database: SqlDatabase, now: () => Date) {
    this.#database = database;
    this.#now = now;
  }

  /** Returns the comments on an article, oldest first, or undefined if the article does not exist. */
  async list(slug: string, viewerId: number | null): Promise<Comment[] | undefined> {
    const [articles, rows] = await this.#database.batch<[object[], CommentRow[]]>([
      sql`SELECT id FROM articles WHERE slug = ${slug}`,
      sql`${commentsAs(viewerId)}
        WHERE c.article_id = (SELECT id FROM articles WHERE slug = ${slug}) ORDER BY c.id`,
    ]);
    return articles.length === 0 ? undefined : rows.map(fromRow);
  }

  /** Adds a comment; returns undefined if the article or the author's account no longer exists. */
  async add(slug: string, body: string, authorId: number): Promise<Comment | undefined> {
    const now = this.#now().toISOString();
    const [added] = await this.#database.all<{ id: number }>(sql`
      INSERT INTO comments (article_id, author_id, body, created_at, updated_at)
      SELECT a.id, u.id, ${body}, ${now}, ${now} FROM articles a, users u
      WHERE a.slug = ${slug} AND u.id = ${authorId} RETURNING id`);
    if (added === undefined) return undefined;
    const statement = sql`${commentsAs(authorId)} WHERE c.id = ${added.id}`;
    const [row] = await this.#database.all<CommentRow>(statement);
    return row && fromRow(row);
  }

  /** Returns the id of the author, or undefined if the article has no such comment. */
  async authorOf(slug: string, id: number): Promise<number | undefined> {
    const [row] = await this.#database.all<{ authorId: number }>(sql`
      SELECT c.author_id AS authorId FROM comments c JOIN articles a ON a.id = c.article_id
      WHERE c.id = ${id} AND a.slug = ${slug}`);
    return row?.authorId;
  }

  async remove(id: number): Promise<void> {
    await this.#database.all(sql`DELETE FROM comments WHERE id = ${id}`);
  }
}

function commentsAs(viewerId: number | null): Sql {
  return sql`SELECT c.id, c.body, c.created_at AS createdAt, c.updated_at AS updatedAt,
    ${profileColumns(viewerId)} FROM comments c JOIN users u ON u.id = c.author_id`;
}

function fromRow(row: CommentRow): Comment {
  const { id, createdAt, updatedAt, body } = row;
  return { id, createdAt, updatedAt, body, author: profileFromRow(row) };
}

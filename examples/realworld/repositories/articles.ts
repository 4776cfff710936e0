import { every, type Sql, sql } from "../database/sql.ts";
import { type SqlDatabase, UniqueViolation } from "../database/sql-database.ts";
import { slugsFor } from "../slugs.ts";
import {
  type Article,
  type ArticleRow,
  type ArticleSummary,
  articleFromRow,
  type SummaryRow,
  summaryColumns,
  summaryFromRow,
} from "./article-rows.ts";

export interface NewArticle {
  readonly title: string;
  readonly description: string;
  readonly body: string;
  readonly tagList: readonly string[];
}

/** Fields that are undefined stay unchanged. */
export interface ArticleChanges {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly body?: string | undefined;
}

/** Filter of a list of articles; an undefined field matches all. */
export interface ArticleFilter {
  readonly tag?: string | undefined;
  /** Username of the author. */
  readonly author?: string | undefined;
  /** Username of a user who has marked them as favorites. */
  readonly favorited?: string | undefined;
  /** Id of a user who follows their authors. */
  readonly followerId?: number | undefined;
}

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export class Articles {
  readonly #database: SqlDatabase;
  readonly #now: () => Date;

  constructor(database: SqlDatabase, now: () => Date) {
    this.#database = database;
    this.#now = now;
  }

  /** Returns a page of articles, newest first, and the total number. */
  async list(
    filter: ArticleFilter,
    { limit, offset }: Page,
    viewerId: number | null,
  ): Promise<{ articles: ArticleSummary[]; articlesCount: number }> {
    const from = sql`FROM articles a JOIN users u ON u.id = a.author_id WHERE ${matching(filter)}`;
    const [rows, [total]] = await this.#database.batch<[SummaryRow[], { count: number }[]]>([
      sql`SELECT ${summaryColumns(viewerId)} ${from}
        ORDER BY a.created_at DESC, a.id DESC LIMIT ${limit} OFFSET ${offset}`,
      sql`SELECT count(*) AS count ${from}`,
    ]);
    return { articles: rows.map(summaryFromRow), articlesCount: total?.count ?? 0 };
  }

  async find(slug: string, viewerId: number | null): Promise<Article | undefined> {
    const [row] = await this.#database.all<ArticleRow>(articleOf(slug, viewerId));
    return row && articleFromRow(row);
  }

  /** Returns the id of the author, or undefined if the article does not exist. */
  async authorOf(slug: string): Promise<number | undefined> {
    const statement = sql`SELECT author_id AS authorId FROM articles WHERE slug = ${slug}`;
    return (await this.#database.all<{ authorId: number }>(statement))[0]?.authorId;
  }

  /** Publishes an article; returns undefined if the author's account no longer exists. */
  add(article: NewArticle, authorId: number): Promise<Article | undefined> {
    const { title, description, body } = article;
    const now = this.#now().toISOString();
    const tags = JSON.stringify(article.tagList.map((tag) => tag.trim()));
    return withFreeSlug(title, async (slug) => {
      const [, , [row]] = await this.#database.batch<[object[], object[], ArticleRow[]]>([
        sql`INSERT INTO articles
            (slug, title, description, body, author_id, created_at, updated_at)
          SELECT ${slug}, ${title}, ${description}, ${body}, id, ${now}, ${now}
          FROM users WHERE id = ${authorId}`,
        sql`INSERT OR IGNORE INTO article_tags (article_id, tag)
          SELECT a.id, tags.value FROM articles a, json_each(${tags}) tags
          WHERE a.slug = ${slug} AND a.author_id = ${authorId}`,
        sql`${articleOf(slug, authorId)} AND a.author_id = ${authorId}`,
      ]);
      return row && articleFromRow(row);
    });
  }

  /** Updates the given fields, and the slug with the title; returns undefined if the article does not exist. */
  async change(
    slug: string,
    changes: ArticleChanges,
    viewerId: number,
  ): Promise<Article | undefined> {
    const { title = null, description = null, body = null } = changes;
    const now = this.#now().toISOString();
    const write = async (newSlug: string | null): Promise<string | undefined> => {
      const [row] = await this.#database.all<{ slug: string }>(sql`
        UPDATE articles SET
          slug = CASE WHEN title = ${title} THEN slug ELSE coalesce(${newSlug}, slug) END,
          title = coalesce(${title}, title),
          description = coalesce(${description}, description),
          body = coalesce(${body}, body),
          updated_at = ${now}
        WHERE slug = ${slug} RETURNING slug`);
      return row?.slug;
    };
    const written = await (title === null ? write(null) : withFreeSlug(title, write));
    return written === undefined ? undefined : this.find(written, viewerId);
  }

  /** Deletes an article with its tags, favorites and comments. */
  async remove(slug: string): Promise<void> {
    await this.#database.all(sql`DELETE FROM articles WHERE slug = ${slug}`);
  }

  /** Adds an article to a user's favorites (idempotent); returns undefined if the article does not exist. */
  favorite(slug: string, userId: number): Promise<Article | undefined> {
    return this.#changeAndFind(
      sql`INSERT OR IGNORE INTO favorites (article_id, user_id)
        SELECT a.id, u.id FROM articles a, users u WHERE a.slug = ${slug} AND u.id = ${userId}`,
      slug,
      userId,
    );
  }

  unfavorite(slug: string, userId: number): Promise<Article | undefined> {
    return this.#changeAndFind(
      sql`DELETE FROM favorites WHERE user_id = ${userId}
        AND article_id = (SELECT id FROM articles WHERE slug = ${slug})`,
      slug,
      userId,
    );
  }

  async #changeAndFind(change: Sql, slug: string, viewerId: number): Promise<Article | undefined> {
    const statements = [change, articleOf(slug, viewerId)];
    const [, [row]] = await this.#database.batch<[object[], ArticleRow[]]>(statements);
    return row && articleFromRow(row);
  }
}

function articleOf(slug: string, viewerId: number | null): Sql {
  return sql`SELECT a.body, ${summaryColumns(viewerId)}
    FROM articles a JOIN users u ON u.id = a.author_id WHERE a.slug = ${slug}`;
}

function matching({ tag, author, favorited, followerId }: ArticleFilter): Sql {
  const conditions: Sql[] = [];
  if (tag !== undefined) {
    conditions.push(sql`a.id IN (SELECT article_id FROM article_tags WHERE tag = ${tag})`);
  }
  if (author !== undefined) conditions.push(sql`u.username = ${author}`);
  if (favorited !== undefined) {
    conditions.push(sql`a.id IN (SELECT f.article_id FROM favorites f
      JOIN users fan ON fan.id = f.user_id WHERE fan.username = ${favorited})`);
  }
  if (followerId !== undefined) {
    const followed = sql`SELECT followed_id FROM follows WHERE follower_id = ${followerId}`;
    conditions.push(sql`a.author_id IN (${followed})`);
  }
  return every(conditions);
}

/** Writes an article under the first free slug; a unique constraint decides which is free. */
async function withFreeSlug<Result>(
  title: string,
  write: (slug: string) => Promise<Result>,
): Promise<Result> {
  let taken: unknown;
  for (const slug of slugsFor(title)) {
    try {
      return await write(slug);
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      taken = error;
    }
  }
  throw taken;
}

import { type Sql, sql } from "../database/sql.ts";
import { type Profile, type ProfileRow, profileColumns, profileFromRow } from "./profiles.ts";

/** An article in a list, without its body. */
export interface ArticleSummary {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** In alphabetical order. */
  readonly tagList: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  /** True if it is among the viewer's favorites. */
  readonly favorited: boolean;
  readonly favoritesCount: number;
  readonly author: Profile;
}

export interface Article extends ArticleSummary {
  readonly body: string;
}

export interface SummaryRow extends ProfileRow {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly tags: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly favorited: 0 | 1;
  readonly favoritesCount: number;
}

export interface ArticleRow extends SummaryRow {
  readonly body: string;
}

/** Columns of articles `a` and their authors `u`, in one statement for any number of articles. */
export function summaryColumns(viewerId: number | null): Sql {
  return sql`
    a.slug, a.title, a.description, a.created_at AS createdAt, a.updated_at AS updatedAt,
    (SELECT json_group_array(tag ORDER BY tag) FROM article_tags WHERE article_id = a.id) AS tags,
    (SELECT count(*) FROM favorites WHERE article_id = a.id) AS favoritesCount,
    EXISTS (
      SELECT 1 FROM favorites WHERE article_id = a.id AND user_id = ${viewerId}) AS favorited,
    ${profileColumns(viewerId)}`;
}

export function summaryFromRow(row: SummaryRow): ArticleSummary {
  const { slug, title, description, tags, createdAt, updatedAt, favorited, favoritesCount } = row;
  return {
    slug,
    title,
    description,
    // Safe cast: SQLite aggregates a column of strings into this JSON array.
    tagList: JSON.parse(tags) as string[],
    createdAt,
    updatedAt,
    favorited: favorited === 1,
    favoritesCount,
    author: profileFromRow(row),
  };
}

export function articleFromRow(row: ArticleRow): Article {
  return { ...summaryFromRow(row), body: row.body };
}

import { type Sql, sql } from "../database/sql.ts";
import { type Profile, type ProfileRow, profileColumns, profileFromRow } from "./profiles.ts";

/** An article in a list, which has no body. */
export interface ArticleSummary {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** In alphabetical order. */
  readonly tagList: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Whether the one who asks has it among the favorites. */
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

/** All that is shown of articles `a` of authors `u`, in one statement however many they are. */
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
    // SQLite made the text, out of a column that holds texts.
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

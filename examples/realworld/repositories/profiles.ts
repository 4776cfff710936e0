import { type Sql, sql } from "../database/sql.ts";
import type { SqlDatabase } from "../database/sql-database.ts";

/** Public profile of a user. */
export interface Profile {
  readonly username: string;
  readonly bio: string | null;
  readonly image: string | null;
  /** True if the viewer follows this user. */
  readonly following: boolean;
}

/** Columns of the profile of a user `u`, as seen by the user with the id `viewerId`. */
export function profileColumns(viewerId: number | null): Sql {
  return sql`u.username, u.bio, u.image, EXISTS (
    SELECT 1 FROM follows WHERE follower_id = ${viewerId} AND followed_id = u.id) AS following`;
}

export interface ProfileRow extends Omit<Profile, "following"> {
  readonly following: 0 | 1;
}

export function profileFromRow({ username, bio, image, following }: ProfileRow): Profile {
  return { username, bio, image, following: following === 1 };
}

export class Profiles {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async find(username: string, viewerId: number | null): Promise<Profile | undefined> {
    const [row] = await this.#database.all<ProfileRow>(profileOf(username, viewerId));
    return row && profileFromRow(row);
  }

  /** Follows a user (idempotent); returns undefined if no user has that name. */
  follow(username: string, followerId: number): Promise<Profile | undefined> {
    return this.#changeAndFind(
      sql`
        INSERT OR IGNORE INTO follows (follower_id, followed_id)
        SELECT follower.id, followed.id FROM users follower, users followed
        WHERE follower.id = ${followerId} AND followed.username = ${username}`,
      username,
      followerId,
    );
  }

  unfollow(username: string, followerId: number): Promise<Profile | undefined> {
    return this.#changeAndFind(
      sql`
        DELETE FROM follows WHERE follower_id = ${followerId}
        AND followed_id = (SELECT id FROM users WHERE username = ${username})`,
      username,
      followerId,
    );
  }

  async #changeAndFind(change: Sql, username: string, id: number): Promise<Profile | undefined> {
    const statements = [change, profileOf(username, id)];
    const [, [row]] = await this.#database.batch<[object[], ProfileRow[]]>(statements);
    return row && profileFromRow(row);
  }
}

function profileOf(username: string, viewerId: number | null): Sql {
  return sql`SELECT ${profileColumns(viewerId)} FROM users u WHERE u.username = ${username}`;
}

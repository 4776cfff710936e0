import { sql } from "../database/sql.ts";
import { type SqlDatabase, UniqueViolation } from "../database/sql-database.ts";
import { Taken } from "../errors.ts";

/** An account. `passwordHash` is used only by `verifyPassword`, and is never part of a response. */
export interface User {
  readonly id: number;
  readonly email: string;
  readonly username: string;
  readonly passwordHash: string;
  readonly bio: string | null;
  readonly image: string | null;
}

export type NewUser = Pick<User, "email" | "username" | "passwordHash">;

/** Fields that are undefined stay unchanged; null clears a field. */
export type UserChanges = { readonly [Key in keyof Omit<User, "id">]?: User[Key] | undefined };

const columns = sql`id, email, username, password_hash AS passwordHash, bio, image`;

export class Users {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async find(id: number): Promise<User | undefined> {
    return (await this.#database.all<User>(sql`SELECT ${columns} FROM users WHERE id = ${id}`))[0];
  }

  async findByEmail(email: string): Promise<User | undefined> {
    const statement = sql`SELECT ${columns} FROM users WHERE email = ${email}`;
    return (await this.#database.all<User>(statement))[0];
  }

  /** @throws Taken if the e-mail address or the name is taken */
  async add({ email, username, passwordHash }: NewUser): Promise<User> {
    const [user] = await this.#write(sql`
      INSERT INTO users (email, username, password_hash)
      VALUES (${email}, ${username}, ${passwordHash}) RETURNING ${columns}`);
    if (user === undefined) throw new Error("The database returned no row for a new user.");
    return user;
  }

  /**
   * Updates the given fields; returns undefined if the user does not exist.
   *
   * @throws Taken if another account has this e-mail address or name
   */
  async change(id: number, changes: UserChanges): Promise<User | undefined> {
    const { email = null, username = null, passwordHash = null, bio, image } = changes;
    const [user] = await this.#write(sql`
      UPDATE users SET
        email = coalesce(${email}, email),
        username = coalesce(${username}, username),
        password_hash = coalesce(${passwordHash}, password_hash),
        bio = ${bio === undefined ? sql`bio` : bio},
        image = ${image === undefined ? sql`image` : image}
      WHERE id = ${id} RETURNING ${columns}`);
    return user;
  }

  async #write(statement: ReturnType<typeof sql>): Promise<User[]> {
    try {
      return await this.#database.all<User>(statement);
    } catch (error) {
      if (error instanceof UniqueViolation) throw new Taken(error.column.replace("users.", ""));
      throw error;
    }
  }
}

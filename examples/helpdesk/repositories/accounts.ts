import type { CompiledQuery } from "kysely";
import type { SignedInUser } from "../access/signed-in-user.ts";
import type { Database } from "../database/database.ts";
import type { Account, Role } from "../database/tables.ts";

/** An address for mail. */
export type Recipient = Pick<Account, "id" | "email" | "name" | "role">;

/** Accounts of all organisations. Methods that list or change some take the organisation. */
export class Accounts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the user of a token. */
  findUser(id: string): Promise<SignedInUser | undefined> {
    return this.#database.query
      .selectFrom("users")
      .innerJoin("organisations", "organisations.id", "users.organisationId")
      .select(["users.id", "organisationId", "organisations.slug as organisation", "role"])
      .where("users.id", "=", id)
      .executeTakeFirst();
  }

  findByEmail(organisationId: string, email: string): Promise<Account | undefined> {
    return this.#database.query
      .selectFrom("users")
      .selectAll()
      .where("organisationId", "=", organisationId)
      .where("email", "=", email.toLowerCase())
      .executeTakeFirst();
  }

  find(organisationId: string, id: string): Promise<Account | undefined> {
    return this.#database.query
      .selectFrom("users")
      .selectAll()
      .where("organisationId", "=", organisationId)
      .where("id", "=", id)
      .executeTakeFirst();
  }

  /** Returns a page, by name; one account more than `limit` if there are more. */
  list(organisationId: string, after: [string, string], limit: number): Promise<Account[]> {
    return this.#database.query
      .selectFrom("users")
      .selectAll()
      .where("organisationId", "=", organisationId)
      .where(({ eb, refTuple, tuple }) => eb(refTuple("name", "id"), ">", tuple(...after)))
      .orderBy("name")
      .orderBy("id")
      .limit(limit + 1)
      .execute();
  }

  /** Returns the accounts with these ids. */
  recipients(organisationId: string, ids: readonly string[]): Promise<Recipient[]> {
    return this.#database.query
      .selectFrom("users")
      .select(["id", "email", "name", "role"])
      .where("organisationId", "=", organisationId)
      .where("id", "in", ids)
      .execute();
  }

  /** Returns the statement that adds an account. */
  insert(account: Account): CompiledQuery {
    return this.#database.query.insertInto("users").values(account).compile();
  }

  /** Adds an account; returns false if the organisation has one with this address. */
  async add(account: Account): Promise<boolean> {
    const added = await this.#database.query
      .insertInto("users")
      .values(account)
      .onConflict((conflict) => conflict.columns(["organisationId", "email"]).doNothing())
      .returning("id")
      .execute();
    return added.length === 1;
  }

  /** Changes a role; returns undefined if the organisation has no such account. */
  changeRole(organisationId: string, id: string, role: Role): Promise<Account | undefined> {
    return this.#database.query
      .updateTable("users")
      .set({ role })
      .where("organisationId", "=", organisationId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
  }
}

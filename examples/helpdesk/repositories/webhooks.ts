import type { Encrypter } from "espalier";
import type { Database } from "../database/database.ts";
import type { Webhook } from "../database/tables.ts";

/** Receivers of the webhooks that the helpdesk sends. Their secrets are encrypted in the database. */
export class Webhooks {
  readonly #database: Database;
  readonly #encrypter: Encrypter;

  constructor(database: Database, encrypter: Encrypter) {
    this.#database = database;
    this.#encrypter = encrypter;
  }

  /** Returns the receivers of an organisation, without their secrets. */
  list(organisationId: string): Promise<Omit<Webhook, "secret">[]> {
    return this.#database.query
      .selectFrom("webhooks")
      .select(["id", "organisationId", "url", "createdAt"])
      .where("organisationId", "=", organisationId)
      .orderBy("createdAt")
      .orderBy("id")
      .execute();
  }

  /** Returns a receiver with its secret; undefined if it was deleted. */
  async find(organisationId: string, id: string): Promise<Webhook | undefined> {
    const webhook = await this.#database.query
      .selectFrom("webhooks")
      .selectAll()
      .where("organisationId", "=", organisationId)
      .where("id", "=", id)
      .executeTakeFirst();
    if (webhook === undefined) return undefined;
    const secret = await this.#encrypter.decrypt(webhook.secret, contextOf(id));
    if (secret === undefined) throw new Error(`The secret of webhook ${id} cannot be decrypted.`);
    return { ...webhook, secret };
  }

  async add(webhook: Webhook): Promise<void> {
    const secret = await this.#encrypter.encrypt(webhook.secret, contextOf(webhook.id));
    const row = { ...webhook, secret };
    await this.#database.query.insertInto("webhooks").values(row).execute();
  }

  /** Removes a receiver; returns false if the organisation has no such one. */
  async remove(organisationId: string, id: string): Promise<boolean> {
    const removed = await this.#database.query
      .deleteFrom("webhooks")
      .where("organisationId", "=", organisationId)
      .where("id", "=", id)
      .returning("id")
      .execute();
    return removed.length === 1;
  }
}

/** Context of the encryption: a value that is copied to another row does not decrypt. */
const contextOf = (id: string): string => `webhooks ${id}`;

import type { Encrypter } from "espalier";
import type { CompiledQuery } from "kysely";
import type { Database } from "../database/database.ts";
import type { Organisation } from "../database/tables.ts";

/** Organisations, which are the tenants. */
export class Organisations {
  readonly #database: Database;
  readonly #encrypter: Encrypter;

  constructor(database: Database, encrypter: Encrypter) {
    this.#database = database;
    this.#encrypter = encrypter;
  }

  findBySlug(slug: string): Promise<Organisation | undefined> {
    const { query } = this.#database;
    return query
      .selectFrom("organisations")
      .selectAll()
      .where("slug", "=", slug)
      .executeTakeFirst();
  }

  /** Returns the statement that adds an organisation. */
  async insert(organisation: Organisation): Promise<CompiledQuery> {
    const { id, inboundSecret } = organisation;
    const encrypted = await this.#encrypter.encrypt(inboundSecret, contextOf(id));
    return this.#database.query
      .insertInto("organisations")
      .values({ ...organisation, inboundSecret: encrypted })
      .compile();
  }

  /** Returns the secret of the webhooks that an organisation receives. */
  async inboundSecret({ id, inboundSecret }: Organisation): Promise<string> {
    const secret = await this.#encrypter.decrypt(inboundSecret, contextOf(id));
    if (secret === undefined) throw new Error(`The inbound secret of ${id} cannot be decrypted.`);
    return secret;
  }
}

/** Context of the encryption: a value that is copied to another row does not decrypt. */
const contextOf = (id: string): string => `organisations ${id}`;

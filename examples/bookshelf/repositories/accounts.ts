import type { DocumentStore } from "../storage/document-store.ts";

/** Role of an account: librarians have full access, members access to their own data. */
export type Role = "member" | "librarian";

/** Credentials of a member. Stored apart from the member, so that no response can include a hash. */
export interface Account {
  readonly memberId: string;
  readonly role: Role;
  /** Result of `hashPassword`. */
  readonly passwordHash: string;
}

/** Repository of accounts, by e-mail address (case-insensitive). */
export class Accounts {
  readonly #documents: DocumentStore;

  constructor(documents: DocumentStore) {
    this.#documents = documents;
  }

  /** Returns the account with this address, or undefined. */
  find(email: string): Promise<Account | undefined> {
    return this.#documents.get<Account>(keyOf(email));
  }

  /** Adds an account; returns false if the address is taken. */
  add(email: string, account: Account): Promise<boolean> {
    return this.#documents.create(keyOf(email), account);
  }

  remove(email: string): Promise<void> {
    return this.#documents.delete(keyOf(email));
  }
}

function keyOf(email: string): string {
  return `accounts/${email.toLowerCase()}`;
}

import type { DocumentStore } from "../storage/document-store.ts";

/** What somebody may do: a librarian everything, a member what concerns the member alone. */
export type Role = "member" | "librarian";

/** How a member logs in. It is kept apart from the member, so that no answer shows a hash. */
export interface Account {
  readonly memberId: string;
  readonly role: Role;
  /** What `hashPassword` made. */
  readonly passwordHash: string;
}

/** The accounts, by the e-mail address of their member, in any case. */
export class Accounts {
  readonly #documents: DocumentStore;

  constructor(documents: DocumentStore) {
    this.#documents = documents;
  }

  /** The account, or undefined when nobody has this address. */
  find(email: string): Promise<Account | undefined> {
    return this.#documents.get<Account>(keyOf(email));
  }

  /** Adds an account; false when somebody has this address already. */
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

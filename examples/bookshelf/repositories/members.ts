import type { DocumentStore } from "../storage/document-store.ts";

/** A person who may borrow books. */
export interface Member {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly address?: { readonly street: string; readonly city: string; readonly postcode?: string };
  readonly phones: readonly {
    readonly kind: "home" | "mobile" | "work";
    readonly number: string;
  }[];
  /** A day: `2024-02-29`. */
  readonly joinedOn: string;
}

/** The members. */
export class Members {
  readonly #documents: DocumentStore;

  constructor(documents: DocumentStore) {
    this.#documents = documents;
  }

  /** The member, or undefined when nobody has this id. */
  find(id: string): Promise<Member | undefined> {
    return this.#documents.get<Member>(`members/${id}`);
  }

  /** Every member, in no order that means anything. */
  all(): AsyncIterable<Member> {
    return this.#documents.list<Member>("members/");
  }

  /** Adds a member; false when there is one with this id. */
  add(member: Member): Promise<boolean> {
    return this.#documents.create(`members/${member.id}`, member);
  }

  /** Replaces what is known about a member. */
  save(member: Member): Promise<void> {
    return this.#documents.put(`members/${member.id}`, member);
  }

  remove(id: string): Promise<void> {
    return this.#documents.delete(`members/${id}`);
  }
}

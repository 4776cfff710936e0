import type { DocumentStore } from "../storage/document-store.ts";

/** A member of the library. */
export interface Member {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly address?: { readonly street: string; readonly city: string; readonly postcode?: string };
  readonly phones: readonly {
    readonly kind: "home" | "mobile" | "work";
    readonly number: string;
  }[];
  /** A date: `2024-02-29`. */
  readonly joinedOn: string;
}

/** Repository of members. */
export class Members {
  readonly #documents: DocumentStore;

  constructor(documents: DocumentStore) {
    this.#documents = documents;
  }

  /** Returns the member, or undefined. */
  find(id: string): Promise<Member | undefined> {
    return this.#documents.get<Member>(`members/${id}`);
  }

  /** Returns all members, in no particular order. */
  all(): AsyncIterable<Member> {
    return this.#documents.list<Member>("members/");
  }

  /** Adds a member; returns false if the id exists. */
  add(member: Member): Promise<boolean> {
    return this.#documents.create(`members/${member.id}`, member);
  }

  /** Replaces a member. */
  save(member: Member): Promise<void> {
    return this.#documents.put(`members/${member.id}`, member);
  }

  remove(id: string): Promise<void> {
    return this.#documents.delete(`members/${id}`);
  }
}

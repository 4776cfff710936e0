import type { DocumentStore } from "../storage/document-store.ts";

/** A notice sent to a member about an overdue book. */
export interface Notice {
  readonly memberId: string;
  readonly loanId: string;
  readonly text: string;
  /** A date: `2024-02-29`. */
  readonly sentOn: string;
}

/** Repository of sent notices. */
export class Notices {
  readonly #documents: DocumentStore;

  constructor(documents: DocumentStore) {
    this.#documents = documents;
  }

  /** Records a notice; returns false if the loan already had one on that day. */
  add(notice: Notice): Promise<boolean> {
    const { memberId, loanId, sentOn } = notice;
    return this.#documents.create(`notices/${memberId}/${sentOn}/${loanId}`, notice);
  }

  /** Returns the notices sent to a member, oldest first. */
  ofMember(memberId: string): AsyncIterable<Notice> {
    return this.#documents.list<Notice>(`notices/${memberId}/`);
  }
}

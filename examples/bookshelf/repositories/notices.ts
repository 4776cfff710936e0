import type { DocumentStore } from "../storage/document-store.ts";

/** What the library has written to a member about a book that should be back. */
export interface Notice {
  readonly memberId: string;
  readonly loanId: string;
  readonly text: string;
  /** A day: `2024-02-29`. */
  readonly sentOn: string;
}

/** The notices that were sent. */
export class Notices {
  readonly #documents: DocumentStore;

  constructor(documents: DocumentStore) {
    this.#documents = documents;
  }

  /** Records a notice; false when the loan had one that day already. */
  add(notice: Notice): Promise<boolean> {
    const { memberId, loanId, sentOn } = notice;
    return this.#documents.create(`notices/${memberId}/${sentOn}/${loanId}`, notice);
  }

  /** What a member was sent, the oldest first. */
  ofMember(memberId: string): AsyncIterable<Notice> {
    return this.#documents.list<Notice>(`notices/${memberId}/`);
  }
}

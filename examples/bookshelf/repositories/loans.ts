import type { DocumentStore } from "../storage/document-store.ts";

/** A current or past loan of a book. */
export interface Loan {
  readonly id: string;
  readonly bookId: string;
  readonly memberId: string;
  /** Dates: `2024-02-29`. */
  readonly lentOn: string;
  readonly dueOn: string;
  /** Null while the book is out. */
  readonly returnedOn: string | null;
  /** Condition of the book when it was returned. */
  readonly condition?: string;
}

/** Marker: the current loan of a book. */
interface Marker {
  readonly bookId: string;
  readonly loanId: string;
}

/** Repository of loans. A marker for each book on loan prevents a second loan. */
export class Loans {
  readonly #documents: DocumentStore;

  constructor(documents: DocumentStore) {
    this.#documents = documents;
  }

  /** Returns the loan, or undefined. */
  find(id: string): Promise<Loan | undefined> {
    return this.#documents.get<Loan>(`loans/${id}`);
  }

  /** Returns the id of a book's current loan, or undefined if it is available. */
  async currentOf(bookId: string): Promise<string | undefined> {
    return (await this.#documents.get<Marker>(`lent/${bookId}`))?.loanId;
  }

  /** Returns the ids of all books on loan. */
  async lentBooks(): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    for await (const { bookId } of this.#documents.list<Marker>("lent/")) ids.add(bookId);
    return ids;
  }

  /** Returns the loans that match the predicate, newest first. Reads all loans ever made. */
  async list(wanted: (loan: Loan) => boolean = () => true): Promise<Loan[]> {
    const loans: Loan[] = [];
    for await (const loan of this.#documents.list<Loan>("loans/")) {
      if (wanted(loan)) loans.push(loan);
    }
    return loans.sort((a, b) => b.lentOn.localeCompare(a.lentOn) || a.id.localeCompare(b.id));
  }

  /**
   * Records a new loan; returns false if the book is on loan.
   *
   * Of two concurrent calls, exactly one succeeds in memory; on KV both may: see `DocumentStore.create`.
   */
  async open(loan: Loan): Promise<boolean> {
    // The loan is written first: a marker without its loan would block the book for ever.
    await this.#documents.put(`loans/${loan.id}`, loan);
    if (await this.#documents.create(`lent/${loan.bookId}`, markerOf(loan))) return true;
    await this.#documents.delete(`loans/${loan.id}`);
    return false;
  }

  /** Stores a loan unchanged, for seeding; an existing loan is kept. */
  async record(loan: Loan): Promise<void> {
    await this.#documents.create(`loans/${loan.id}`, loan);
    if (loan.returnedOn !== null) return;
    await this.#documents.create(`lent/${loan.bookId}`, markerOf(loan));
  }

  /** Records the return of a book. */
  async close(loan: Loan): Promise<void> {
    await this.#documents.put(`loans/${loan.id}`, loan);
    // After a race on KV the marker may belong to another loan, which is still open.
    if ((await this.currentOf(loan.bookId)) === loan.id) {
      await this.#documents.delete(`lent/${loan.bookId}`);
    }
  }
}

function markerOf({ id, bookId }: Loan): Marker {
  return { bookId, loanId: id };
}

import type { DocumentStore } from "../storage/document-store.ts";

/** A book in somebody's hands, now or in the past. */
export interface Loan {
  readonly id: string;
  readonly bookId: string;
  readonly memberId: string;
  /** Days: `2024-02-29`. */
  readonly lentOn: string;
  readonly dueOn: string;
  /** Null while the book is out. */
  readonly returnedOn: string | null;
  /** What the book looked like when it came back. */
  readonly condition?: string;
}

/** Which loan a book is out on. */
interface Marker {
  readonly bookId: string;
  readonly loanId: string;
}

/** Current and past loans. A marker for each book that is out keeps it from going out twice. */
export class Loans {
  readonly #documents: DocumentStore;

  constructor(documents: DocumentStore) {
    this.#documents = documents;
  }

  /** The loan, or undefined when there is none of this id. */
  find(id: string): Promise<Loan | undefined> {
    return this.#documents.get<Loan>(`loans/${id}`);
  }

  /** The id of the loan that a book is out on, or undefined while it is on its shelf. */
  async currentOf(bookId: string): Promise<string | undefined> {
    return (await this.#documents.get<Marker>(`lent/${bookId}`))?.loanId;
  }

  /** The ids of all books that are out. */
  async lentBooks(): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    for await (const { bookId } of this.#documents.list<Marker>("lent/")) ids.add(bookId);
    return ids;
  }

  /** Every loan that `wanted` says yes to, the newest first. It reads all loans there ever were. */
  async list(wanted: (loan: Loan) => boolean = () => true): Promise<Loan[]> {
    const loans: Loan[] = [];
    for await (const loan of this.#documents.list<Loan>("loans/")) {
      if (wanted(loan)) loans.push(loan);
    }
    return loans.sort((a, b) => b.lentOn.localeCompare(a.lentOn) || a.id.localeCompare(b.id));
  }

  /**
   * Records that a book goes out; false when it is out already.
   *
   * Of two at once, one gets the book in memory; on KV both may: see `DocumentStore.create`.
   */
  async open(loan: Loan): Promise<boolean> {
    // The loan comes first: a marker without its loan would keep the book out for ever.
    await this.#documents.put(`loans/${loan.id}`, loan);
    if (await this.#documents.create(`lent/${loan.bookId}`, markerOf(loan))) return true;
    await this.#documents.delete(`loans/${loan.id}`);
    return false;
  }

  /** Records a loan as it is, for a store that is being filled; one that is there is left alone. */
  async record(loan: Loan): Promise<void> {
    await this.#documents.create(`loans/${loan.id}`, loan);
    if (loan.returnedOn !== null) return;
    await this.#documents.create(`lent/${loan.bookId}`, markerOf(loan));
  }

  /** Records that a book is back. */
  async close(loan: Loan): Promise<void> {
    await this.#documents.put(`loans/${loan.id}`, loan);
    // After a race on KV the marker may be another loan's, which is not over.
    if ((await this.currentOf(loan.bookId)) === loan.id) {
      await this.#documents.delete(`lent/${loan.bookId}`);
    }
  }
}

function markerOf({ id, bookId }: Loan): Marker {
  return { bookId, loanId: id };
}

import type { DocumentStore } from "../storage/document-store.ts";

/** A book of the library. */
export interface Book {
  /** The ISBN without hyphens. */
  readonly id: string;
  /** The ISBN as it was entered, hyphens included. */
  readonly isbn: string;
  readonly title: string;
  readonly authors: readonly string[];
  /** A day: `2024-02-29`. */
  readonly publishedOn: string;
  readonly pages?: number;
  readonly tags: readonly string[];
  readonly publisher?: { readonly name: string; readonly city?: string };
}

/** The books. */
export class Books {
  readonly #documents: DocumentStore;

  constructor(documents: DocumentStore) {
    this.#documents = documents;
  }

  /** The book, or undefined when the library has no such book. */
  find(id: string): Promise<Book | undefined> {
    return this.#documents.get<Book>(`books/${id}`);
  }

  /** Every book, in the order of the ISBNs. */
  all(): AsyncIterable<Book> {
    return this.#documents.list<Book>("books/");
  }

  /** Adds a book; false when there is one with this ISBN. */
  add(book: Book): Promise<boolean> {
    return this.#documents.create(`books/${book.id}`, book);
  }

  /** Replaces what is known about a book. */
  save(book: Book): Promise<void> {
    return this.#documents.put(`books/${book.id}`, book);
  }

  remove(id: string): Promise<void> {
    return this.#documents.delete(`books/${id}`);
  }
}

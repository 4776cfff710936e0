import type { DocumentStore } from "../storage/document-store.ts";

/** A book of the library. */
export interface Book {
  /** The ISBN without hyphens. */
  readonly id: string;
  /** The ISBN as entered, with hyphens. */
  readonly isbn: string;
  readonly title: string;
  readonly authors: readonly string[];
  /** A date: `2024-02-29`. */
  readonly publishedOn: string;
  readonly pages?: number;
  readonly tags: readonly string[];
  readonly publisher?: { readonly name: string; readonly city?: string };
}

/** Repository of books. */
export class Books {
  readonly #documents: DocumentStore;

  constructor(documents: DocumentStore) {
    this.#documents = documents;
  }

  /** Returns the book, or undefined. */
  find(id: string): Promise<Book | undefined> {
    return this.#documents.get<Book>(`books/${id}`);
  }

  /** Returns all books, sorted by ISBN. */
  all(): AsyncIterable<Book> {
    return this.#documents.list<Book>("books/");
  }

  /** Adds a book; returns false if the ISBN exists. */
  add(book: Book): Promise<boolean> {
    return this.#documents.create(`books/${book.id}`, book);
  }

  /** Replaces a book. */
  save(book: Book): Promise<void> {
    return this.#documents.put(`books/${book.id}`, book);
  }

  remove(id: string): Promise<void> {
    return this.#documents.delete(`books/${id}`);
  }
}

import type { Cache } from "espalier";
import type { Book, Books } from "../repositories/books.ts";
import type { Loans } from "../repositories/loans.ts";

/** Search criteria; a book must match all that are given. */
export interface CatalogueQuery {
  /** Substring of the title or of an author's name (case-insensitive). */
  readonly search?: string;
  readonly tag?: string;
  /** True for available books, false for books on loan. */
  readonly available?: boolean;
  readonly sort: "title" | "oldest" | "newest";
}

/** A book and its availability. */
export interface CatalogueEntry {
  readonly book: Book;
  readonly available: boolean;
}

const orders = {
  title: (a: Book, b: Book) => a.title.localeCompare(b.title),
  oldest: (a: Book, b: Book) => a.publishedOn.localeCompare(b.publishedOn),
  newest: (a: Book, b: Book) => b.publishedOn.localeCompare(a.publishedOn),
};

/** Cache key of the entries; changing a book or a loan deletes it. */
export const catalogueKey = "catalogue";

/** Upper bound for the delay until changes made in another location are visible. */
const keptForMs = 60_000;

/** Searches books. Scans all of them, which is fine for a few thousand. */
export class Catalogue {
  readonly #books: Books;
  readonly #loans: Loans;
  readonly #cache: Pick<Cache, "remember">;

  constructor(books: Books, loans: Loans, cache: Pick<Cache, "remember">) {
    this.#books = books;
    this.#loans = loans;
    this.#cache = cache;
  }

  async find(query: CatalogueQuery): Promise<CatalogueEntry[]> {
    const entries = await this.#cache.remember(catalogueKey, () => this.#read(), keptForMs);
    return entries
      .filter((entry) => isWanted(entry, query))
      .sort((a, b) => orders[query.sort](a.book, b.book));
  }

  async #read(): Promise<CatalogueEntry[]> {
    const [books, lent] = await Promise.all([
      Array.fromAsync(this.#books.all()),
      this.#loans.lentBooks(),
    ]);
    return books.map((book) => ({ book, available: !lent.has(book.id) }));
  }
}

function isWanted({ book, available }: CatalogueEntry, query: CatalogueQuery): boolean {
  const { search, tag } = query;
  if (query.available !== undefined && query.available !== available) return false;
  if (tag !== undefined && !book.tags.includes(tag)) return false;
  if (search === undefined) return true;
  const texts = [book.title, ...book.authors].map((text) => text.toLowerCase());
  return texts.some((text) => text.includes(search.toLowerCase()));
}

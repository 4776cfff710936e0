import type { Cache } from "espalier";
import type { Book, Books } from "../repositories/books.ts";
import type { Loans } from "../repositories/loans.ts";

/** What somebody looks for; everything that is given must be true of a book. */
export interface CatalogueQuery {
  /** Text in the title or in an author's name, in any case. */
  readonly search?: string;
  readonly tag?: string;
  /** True for the books on their shelf, false for those that are out. */
  readonly available?: boolean;
  readonly sort: "title" | "oldest" | "newest";
}

/** A book and whether it is on its shelf. */
export interface CatalogueEntry {
  readonly book: Book;
  readonly available: boolean;
}

const orders = {
  title: (a: Book, b: Book) => a.title.localeCompare(b.title),
  oldest: (a: Book, b: Book) => a.publishedOn.localeCompare(b.publishedOn),
  newest: (a: Book, b: Book) => b.publishedOn.localeCompare(a.publishedOn),
};

/** Where the cache keeps the entries; what changes a book or a loan deletes them there. */
export const catalogueKey = "catalogue";

/** A change elsewhere in the world is seen after this time at the latest. */
const keptForMs = 60_000;

/** Finds books. It looks through all of them, which is right for a library of some thousands. */
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

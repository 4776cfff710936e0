import { Controller } from "espalier";
import { BookExists, BookNotFound, BookOnLoan } from "../errors.ts";
import { bookIdOf } from "../isbn.ts";
import type { Book, Books } from "../repositories/books.ts";
import type { Covers } from "../repositories/covers.ts";
import type { Loans } from "../repositories/loans.ts";
import { bookChangeRules, bookRules, byIsbn } from "../rules.ts";
import { bookView } from "../views.ts";

export class ShowBook extends Controller.for({ params: byIsbn }) {
  static readonly inject = ["books", "loans"];
  readonly #books: Books;
  readonly #loans: Loans;

  constructor(books: Books, loans: Loans) {
    super();
    this.#books = books;
    this.#loans = loans;
  }

  async handle(): Promise<Response> {
    const { id } = this.params;
    const [book, loan] = await Promise.all([this.#books.find(id), this.#loans.currentOf(id)]);
    if (book === undefined) throw new BookNotFound(id);
    return this.success(bookView(this.app.getRouter(), book, loan === undefined));
  }
}

export class CreateBook extends Controller.for({ body: bookRules }) {
  static readonly inject = ["books"];
  readonly #books: Books;

  constructor(books: Books) {
    super();
    this.#books = books;
  }

  async handle(): Promise<Response> {
    const book: Book = { id: bookIdOf(this.body.isbn), ...this.body };
    if (!(await this.#books.add(book))) throw new BookExists(book.id);
    await this.app.emit("book.added", book);
    const router = this.app.getRouter();
    return this.created(bookView(router, book, true), router.url("books.show", { id: book.id }));
  }
}

export class ReplaceBook extends Controller.for({ params: byIsbn, body: bookChangeRules }) {
  static readonly inject = ["books", "loans"];
  readonly #books: Books;
  readonly #loans: Loans;

  constructor(books: Books, loans: Loans) {
    super();
    this.#books = books;
    this.#loans = loans;
  }

  async handle(): Promise<Response> {
    const { id } = this.params;
    const known = await this.#books.find(id);
    if (known === undefined) throw new BookNotFound(id);
    const book: Book = { id, isbn: known.isbn, ...this.body };
    await this.#books.save(book);
    await this.app.emit("book.replaced", book);
    const loan = await this.#loans.currentOf(id);
    return this.success(bookView(this.app.getRouter(), book, loan === undefined));
  }
}

export class RemoveBook extends Controller.for({ params: byIsbn }) {
  static readonly inject = ["books", "loans", "covers"];
  readonly #books: Books;
  readonly #loans: Loans;
  readonly #covers: Covers;

  constructor(books: Books, loans: Loans, covers: Covers) {
    super();
    this.#books = books;
    this.#loans = loans;
    this.#covers = covers;
  }

  async handle(): Promise<Response> {
    const { id } = this.params;
    const book = await this.#books.find(id);
    if (book === undefined) throw new BookNotFound(id);
    if ((await this.#loans.currentOf(id)) !== undefined) throw new BookOnLoan(id);
    await this.#books.remove(id);
    await this.#covers.remove(id);
    await this.app.emit("book.removed", book);
    return this.noContent();
  }
}

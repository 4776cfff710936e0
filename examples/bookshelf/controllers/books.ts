import { Controller } from "espalier";
import { BookExists, BookNotFound, BookOnLoan } from "../errors.ts";
import { bookIdOf } from "../isbn.ts";
import type { Book } from "../repositories/books.ts";
import { bookChangeRules, bookRules, byIsbn } from "../rules.ts";
import { bookView } from "../views.ts";

export class ShowBook extends Controller.for({ inject: ["books", "loans"], params: byIsbn }) {
  async handle() {
    const { id } = this.params;
    const { books, loans } = this.services;
    const [book, loan] = await Promise.all([books.find(id), loans.currentOf(id)]);
    if (book === undefined) throw new BookNotFound(id);
    return this.success(bookView(this.app.getRouter(), book, loan === undefined));
  }
}

export class CreateBook extends Controller.for({ inject: ["books"], body: bookRules }) {
  async handle() {
    const book: Book = { id: bookIdOf(this.body.isbn), ...this.body };
    if (!(await this.services.books.add(book))) throw new BookExists(book.id);
    await this.app.emit("book.added", book);
    const router = this.app.getRouter();
    return this.created(bookView(router, book, true), router.url("books.show", { id: book.id }));
  }
}

export class ReplaceBook extends Controller.for({
  inject: ["books", "loans"],
  params: byIsbn,
  body: bookChangeRules,
}) {
  async handle() {
    const { id } = this.params;
    const { books, loans } = this.services;
    const known = await books.find(id);
    if (known === undefined) throw new BookNotFound(id);
    const book: Book = { id, isbn: known.isbn, ...this.body };
    await books.save(book);
    await this.app.emit("book.replaced", book);
    const loan = await loans.currentOf(id);
    return this.success(bookView(this.app.getRouter(), book, loan === undefined));
  }
}

export class RemoveBook extends Controller.for({
  inject: ["books", "loans", "covers"],
  params: byIsbn,
}) {
  async handle() {
    const { id } = this.params;
    const { books, loans, covers } = this.services;
    const book = await books.find(id);
    if (book === undefined) throw new BookNotFound(id);
    if ((await loans.currentOf(id)) !== undefined) throw new BookOnLoan(id);
    await books.remove(id);
    await covers.remove(id);
    await this.app.emit("book.removed", book);
    return this.noContent();
  }
}

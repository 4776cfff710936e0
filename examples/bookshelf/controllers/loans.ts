import { Controller, type RequestContext } from "espalier";
import { mayActFor, userOf } from "../access.ts";
import { BookNotFound, LoanNotFound, NotYourLoan } from "../errors.ts";
import type { Books } from "../repositories/books.ts";
import type { Loan, Loans } from "../repositories/loans.ts";
import { byIsbn, byUuid, loanRules } from "../rules.ts";
import type { Lending } from "../services/lending.ts";
import { loanView } from "../views.ts";

/** Lends a book to the current user, or to the member that a librarian names. */
export class LendBook extends Controller.for({ params: byIsbn, body: loanRules }) {
  static readonly inject = ["lending"];
  readonly #lending: Lending;

  constructor(lending: Lending) {
    super();
    this.#lending = lending;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    const { memberId = userOf(ctx).id, days } = this.body;
    if (!mayActFor(ctx, memberId)) throw new NotYourLoan();
    const loan = await this.#lending.lend(this.params.id, memberId, days);
    await this.app.emit("loan.opened", loan);
    const router = this.app.getRouter();
    return this.created(loanView(router, loan), router.url("loans.show", { id: loan.id }));
  }
}

/** Lists the loans of one book, the current one first. */
export class ListBookLoans extends Controller.for({ params: byIsbn }) {
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
    if ((await this.#books.find(id)) === undefined) throw new BookNotFound(id);
    const loans = await this.#loans.list((loan) => loan.bookId === id);
    return this.success(loans.map((loan) => loanView(this.app.getRouter(), loan)));
  }
}

/** Lists loans by state: the current user's, or for librarians those of all members. */
export class ListLoans extends Controller.for({
  query: { state: { enum: ["current", "overdue", "returned", "all"], default: "current" } },
}) {
  static readonly inject = ["lending", "loans"];
  readonly #lending: Lending;
  readonly #loans: Loans;

  constructor(lending: Lending, loans: Loans) {
    super();
    this.#lending = lending;
    this.#loans = loans;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    const loans = await this.#find();
    const visible = loans.filter((loan) => mayActFor(ctx, loan.memberId));
    return this.success(visible.map((loan) => loanView(this.app.getRouter(), loan)));
  }

  #find(): Promise<Loan[]> {
    switch (this.query.state) {
      case "current":
        return this.#lending.current();
      case "overdue":
        return this.#lending.overdue();
      case "returned":
        return this.#loans.list((loan) => loan.returnedOn !== null);
      case "all":
        return this.#loans.list();
    }
  }
}

export class ShowLoan extends Controller.for({ params: byUuid }) {
  static readonly inject = ["loans"];
  readonly #loans: Loans;

  constructor(loans: Loans) {
    super();
    this.#loans = loans;
  }

  async handle(): Promise<Response> {
    const { id } = this.params;
    const loan = await this.#loans.find(id);
    if (loan === undefined) throw new LoanNotFound(id);
    return this.success(loanView(this.app.getRouter(), loan));
  }
}

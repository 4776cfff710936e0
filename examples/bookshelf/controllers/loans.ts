import { Controller } from "espalier";
import { BookNotFound, LoanNotFound } from "../errors.ts";
import type { Books } from "../repositories/books.ts";
import type { Loan, Loans } from "../repositories/loans.ts";
import { byIsbn, byUuid, loanRules } from "../rules.ts";
import type { Lending } from "../services/lending.ts";
import { loanView } from "../views.ts";

/** Lends a book. */
export class LendBook extends Controller.for({ params: byIsbn, body: loanRules }) {
  static readonly inject = ["lending"];
  readonly #lending: Lending;

  constructor(lending: Lending) {
    super();
    this.#lending = lending;
  }

  async handle(): Promise<Response> {
    const { memberId, days } = this.body;
    const loan = await this.#lending.lend(this.params.id, memberId, days);
    await this.app.emit("loan.opened", loan);
    const router = this.app.getRouter();
    return this.created(loanView(router, loan), router.url("loans.show", { id: loan.id }));
  }
}

/** The loans of one book, the current one first. */
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

/** All loans, or only those that run, are overdue or are over. */
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

  async handle(): Promise<Response> {
    const loans = await this.#find();
    return this.success(loans.map((loan) => loanView(this.app.getRouter(), loan)));
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

import { Controller, type RequestContext } from "espalier";
import { mayActFor } from "../access.ts";
import { BookNotFound, LoanNotFound, NotYourLoan } from "../errors.ts";
import type { Loan } from "../repositories/loans.ts";
import { byIsbn, byUuid, loanRules } from "../rules.ts";
import { loanView } from "../views.ts";

/** Lends a book to the current user, or to the member that a librarian names. */
export class LendBook extends Controller.for({
  inject: ["lending"],
  params: byIsbn,
  body: loanRules,
}) {
  async handle(ctx: RequestContext) {
    const { memberId = ctx.requireUser().id, days } = this.body;
    if (!mayActFor(ctx, memberId)) throw new NotYourLoan();
    const loan = await this.services.lending.lend(this.params.id, memberId, days);
    await this.app.emit("loan.opened", loan);
    const router = this.app.getRouter();
    return this.created(loanView(router, loan), router.url("loans.show", { id: loan.id }));
  }
}

/** Lists the loans of one book, the current one first. */
export class ListBookLoans extends Controller.for({ inject: ["books", "loans"], params: byIsbn }) {
  async handle() {
    const { id } = this.params;
    const { books, loans } = this.services;
    if ((await books.find(id)) === undefined) throw new BookNotFound(id);
    const found = await loans.list((loan) => loan.bookId === id);
    return this.success(found.map((loan) => loanView(this.app.getRouter(), loan)));
  }
}

/** Lists loans by state: the current user's, or for librarians those of all members. */
export class ListLoans extends Controller.for({
  inject: ["lending", "loans"],
  query: { state: { enum: ["current", "overdue", "returned", "all"], default: "current" } },
}) {
  async handle(ctx: RequestContext) {
    const loans = await this.#find();
    const visible = loans.filter((loan) => mayActFor(ctx, loan.memberId));
    return this.success(visible.map((loan) => loanView(this.app.getRouter(), loan)));
  }

  #find(): Promise<Loan[]> {
    const { lending, loans } = this.services;
    switch (this.query.state) {
      case "current":
        return lending.current();
      case "overdue":
        return lending.overdue();
      case "returned":
        return loans.list((loan) => loan.returnedOn !== null);
      case "all":
        return loans.list();
    }
  }
}

export class ShowLoan extends Controller.for({ inject: ["loans"], params: byUuid }) {
  async handle() {
    const { id } = this.params;
    const loan = await this.services.loans.find(id);
    if (loan === undefined) throw new LoanNotFound(id);
    return this.success(loanView(this.app.getRouter(), loan));
  }
}

import {
  AlreadyReturned,
  BookNotFound,
  BookOnLoan,
  LoanLimitReached,
  LoanNotFound,
  MemberNotFound,
} from "../errors.ts";
import type { Books } from "../repositories/books.ts";
import type { Loan, Loans } from "../repositories/loans.ts";
import type { Members } from "../repositories/members.ts";
import { addDays, type Calendar } from "./calendar.ts";

/** Section `lending` of the configuration. */
export interface LendingConfig {
  /** Default duration of a loan, in days. */
  readonly days: number;
  /** Maximum number of books on loan per member. */
  readonly booksPerMember: number;
}

/** Dependencies of {@link Lending}. */
export interface LendingDependencies {
  readonly books: Books;
  readonly members: Members;
  readonly loans: Loans;
  readonly calendar: Calendar;
  readonly config: LendingConfig;
}

/** Lending rules, independent of HTTP except for the errors they throw. */
export class Lending {
  readonly #dependencies: LendingDependencies;

  constructor(dependencies: LendingDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Lends a book to a member.
   *
   * @throws BookNotFound, MemberNotFound, BookOnLoan, LoanLimitReached
   */
  async lend(bookId: string, memberId: string, days?: number): Promise<Loan> {
    const { books, members, loans, calendar, config } = this.#dependencies;
    if ((await books.find(bookId)) === undefined) throw new BookNotFound(bookId);
    if ((await members.find(memberId)) === undefined) throw new MemberNotFound(memberId);
    if ((await loans.currentOf(bookId)) !== undefined) throw new BookOnLoan(bookId);
    const held = await this.current((loan) => loan.memberId === memberId);
    const { booksPerMember } = config;
    if (held.length >= booksPerMember) throw new LoanLimitReached(booksPerMember);

    const lentOn = calendar.today();
    const loan: Loan = {
      id: crypto.randomUUID(),
      bookId,
      memberId,
      lentOn,
      dueOn: addDays(lentOn, days ?? config.days),
      returnedOn: null,
    };
    // Checks availability again, atomically: another request may have taken the book in between.
    if (!(await loans.open(loan))) throw new BookOnLoan(bookId);
    return loan;
  }

  /**
   * Returns a book.
   *
   * @throws LoanNotFound, AlreadyReturned
   */
  async takeBack(loanId: string, condition?: string): Promise<Loan> {
    const { loans, calendar } = this.#dependencies;
    const loan = await loans.find(loanId);
    if (loan === undefined) throw new LoanNotFound(loanId);
    if (loan.returnedOn !== null) throw new AlreadyReturned(loanId, loan.returnedOn);
    const returned: Loan = {
      ...loan,
      returnedOn: calendar.today(),
      ...(condition === undefined ? {} : { condition }),
    };
    await loans.close(returned);
    return returned;
  }

  /** Returns the open loans that match the predicate. */
  current(wanted: (loan: Loan) => boolean = () => true): Promise<Loan[]> {
    const { loans } = this.#dependencies;
    return loans.list((loan) => loan.returnedOn === null && wanted(loan));
  }

  /** Returns the overdue loans. */
  overdue(): Promise<Loan[]> {
    const today = this.#dependencies.calendar.today();
    return this.current((loan) => loan.dueOn < today);
  }
}

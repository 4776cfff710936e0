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

/** What the library decides for itself; section `lending` of the configuration. */
export interface LendingConfig {
  /** Days that a loan runs when nobody says how many. */
  readonly days: number;
  /** As many books as a member may have at a time. */
  readonly booksPerMember: number;
}

/** The library's rules about lending, apart from HTTP except for what they say no with. */
export class Lending {
  readonly #books: Books;
  readonly #members: Members;
  readonly #loans: Loans;
  readonly #calendar: Calendar;
  readonly #config: LendingConfig;

  constructor(
    books: Books,
    members: Members,
    loans: Loans,
    calendar: Calendar,
    config: LendingConfig,
  ) {
    this.#books = books;
    this.#members = members;
    this.#loans = loans;
    this.#calendar = calendar;
    this.#config = config;
  }

  /**
   * Lends a book to a member.
   *
   * @throws BookNotFound, MemberNotFound, BookOnLoan, LoanLimitReached
   */
  async lend(bookId: string, memberId: string, days?: number): Promise<Loan> {
    if ((await this.#books.find(bookId)) === undefined) throw new BookNotFound(bookId);
    if ((await this.#members.find(memberId)) === undefined) throw new MemberNotFound(memberId);
    if ((await this.#loans.currentOf(bookId)) !== undefined) throw new BookOnLoan(bookId);
    const held = await this.current((loan) => loan.memberId === memberId);
    const { booksPerMember } = this.#config;
    if (held.length >= booksPerMember) throw new LoanLimitReached(booksPerMember);

    const lentOn = this.#calendar.today();
    const loan: Loan = {
      id: crypto.randomUUID(),
      bookId,
      memberId,
      lentOn,
      dueOn: addDays(lentOn, days ?? this.#config.days),
      returnedOn: null,
    };
    // Asked again in the same step that takes the book: another request may have been faster.
    if (!(await this.#loans.open(loan))) throw new BookOnLoan(bookId);
    return loan;
  }

  /**
   * Takes a book back.
   *
   * @throws LoanNotFound, AlreadyReturned
   */
  async takeBack(loanId: string, condition?: string): Promise<Loan> {
    const loan = await this.#loans.find(loanId);
    if (loan === undefined) throw new LoanNotFound(loanId);
    if (loan.returnedOn !== null) throw new AlreadyReturned(loanId, loan.returnedOn);
    const returned: Loan = {
      ...loan,
      returnedOn: this.#calendar.today(),
      ...(condition === undefined ? {} : { condition }),
    };
    await this.#loans.close(returned);
    return returned;
  }

  /** The loans that are not over, of those that `wanted` says yes to. */
  current(wanted: (loan: Loan) => boolean = () => true): Promise<Loan[]> {
    return this.#loans.list((loan) => loan.returnedOn === null && wanted(loan));
  }

  /** The loans whose books should be back by now. */
  overdue(): Promise<Loan[]> {
    const today = this.#calendar.today();
    return this.current((loan) => loan.dueOn < today);
  }
}

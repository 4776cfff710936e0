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

/** Lending rules, independent of HTTP except for the errors they throw. */
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
    // Checks availability again, atomically: another request may have taken the book in between.
    if (!(await this.#loans.open(loan))) throw new BookOnLoan(bookId);
    return loan;
  }

  /**
   * Returns a book.
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

  /** Returns the open loans that match the predicate. */
  current(wanted: (loan: Loan) => boolean = () => true): Promise<Loan[]> {
    return this.#loans.list((loan) => loan.returnedOn === null && wanted(loan));
  }

  /** Returns the overdue loans. */
  overdue(): Promise<Loan[]> {
    const today = this.#calendar.today();
    return this.current((loan) => loan.dueOn < today);
  }
}

import type { ApplicationQueue } from "espalier";
import type { Books } from "../repositories/books.ts";
import type { Loans } from "../repositories/loans.ts";
import type { Members } from "../repositories/members.ts";
import type { Notices } from "../repositories/notices.ts";
import type { Calendar } from "./calendar.ts";
import type { Lending } from "./lending.ts";

/** Everything that the notifier reads and writes. */
export interface NotifierRecords {
  readonly books: Books;
  readonly members: Members;
  readonly loans: Loans;
  readonly notices: Notices;
}

/** Tells members about books that should be back. */
export class Notifier {
  readonly #records: NotifierRecords;
  readonly #lending: Lending;
  readonly #calendar: Calendar;

  constructor(records: NotifierRecords, lending: Lending, calendar: Calendar) {
    this.#records = records;
    this.#lending = lending;
    this.#calendar = calendar;
  }

  /** Makes a job of each notice that is due, so that one that fails is tried again by itself. */
  async enqueueDue(queue: ApplicationQueue): Promise<number> {
    const loans = await this.#lending.overdue();
    const today = this.#calendar.today();
    for (const { id } of loans) {
      // The id makes two that are enqueued on one day the same job.
      await queue.enqueue("notice.send", { loanId: id }, { id: `notice-${id}-${today}` });
    }
    return loans.length;
  }

  /**
   * Sends the notice about one loan. A job may be run twice, and the book may have come back since it
   * was enqueued: then nothing is sent.
   */
  async send(loanId: string): Promise<void> {
    const { books, members, loans, notices } = this.#records;
    const loan = await loans.find(loanId);
    if (loan === undefined || loan.returnedOn !== null) return;
    const [book, member] = await Promise.all([
      books.find(loan.bookId),
      members.find(loan.memberId),
    ]);
    if (book === undefined || member === undefined) return;
    await notices.add({
      memberId: member.id,
      loanId,
      text: `Dear ${member.name}, "${book.title}" was due on ${loan.dueOn}. Please bring it back.`,
      sentOn: this.#calendar.today(),
    });
  }
}

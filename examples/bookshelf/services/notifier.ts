import type { ApplicationQueue } from "espalier";
import type { Books } from "../repositories/books.ts";
import type { Loans } from "../repositories/loans.ts";
import type { Members } from "../repositories/members.ts";
import type { Notices } from "../repositories/notices.ts";
import type { Calendar } from "./calendar.ts";
import type { Lending } from "./lending.ts";

/** Dependencies of the notifier. */
export interface NotifierRecords {
  readonly books: Books;
  readonly members: Members;
  readonly loans: Loans;
  readonly notices: Notices;
}

/** Notifies members about overdue books. */
export class Notifier {
  readonly #records: NotifierRecords;
  readonly #lending: Lending;
  readonly #calendar: Calendar;

  constructor(records: NotifierRecords, lending: Lending, calendar: Calendar) {
    this.#records = records;
    this.#lending = lending;
    this.#calendar = calendar;
  }

  /** Enqueues one job per due notice, so that each is retried independently. */
  async enqueueDue(queue: ApplicationQueue): Promise<number> {
    const loans = await this.#lending.overdue();
    const today = this.#calendar.today();
    for (const { id } of loans) {
      // Idempotency key: enqueued twice on one day, it is one job.
      await queue.enqueue("notice.send", { loanId: id }, { id: `notice-${id}-${today}` });
    }
    return loans.length;
  }

  /**
   * Sends the notice about one loan. Sends nothing if the job has already run or the book has been
   * returned since it was enqueued.
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
      text: `Dear ${member.name}, "${book.title}" was due on ${loan.dueOn}. Please return it.`,
      sentOn: this.#calendar.today(),
    });
  }
}

import type { ApplicationQueue } from "espalier";
import type { Books } from "../repositories/books.ts";
import type { Loans } from "../repositories/loans.ts";
import type { Members } from "../repositories/members.ts";
import type { Notices } from "../repositories/notices.ts";
import type { Calendar } from "./calendar.ts";
import type { Lending } from "./lending.ts";

/** Dependencies of {@link Notifier}. */
export interface NotifierDependencies {
  readonly books: Books;
  readonly members: Members;
  readonly loans: Loans;
  readonly notices: Notices;
  readonly lending: Lending;
  readonly calendar: Calendar;
}

/** Notifies members about overdue books. */
export class Notifier {
  readonly #dependencies: NotifierDependencies;

  constructor(dependencies: NotifierDependencies) {
    this.#dependencies = dependencies;
  }

  /** Enqueues one job per due notice, so that each is retried independently. */
  async enqueueDue(queue: ApplicationQueue): Promise<number> {
    const { lending, calendar } = this.#dependencies;
    const loans = await lending.overdue();
    const today = calendar.today();
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
    const { books, members, loans, notices, calendar } = this.#dependencies;
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
      sentOn: calendar.today(),
    });
  }
}

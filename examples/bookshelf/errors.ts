import { HttpError } from "espalier";

/** Base URL of the problem types of this API. */
const problems = "https://bookshelf.example/problems";

export class BookNotFound extends HttpError {
  constructor(id: string) {
    super(404, `Book ${id} not found.`, { type: `${problems}/book-not-found` });
  }
}

export class MemberNotFound extends HttpError {
  constructor(id: string) {
    super(404, `Member ${id} not found.`, { type: `${problems}/member-not-found` });
  }
}

export class LoanNotFound extends HttpError {
  constructor(id: string) {
    super(404, `Loan ${id} not found.`, { type: `${problems}/loan-not-found` });
  }
}

export class CoverNotFound extends HttpError {
  constructor(bookId: string) {
    super(404, `Book ${bookId} has no cover.`, { type: `${problems}/cover-not-found` });
  }
}

export class BookExists extends HttpError {
  constructor(id: string) {
    super(409, `Book ${id} already exists.`, { type: `${problems}/book-exists` });
  }
}

export class BookOnLoan extends HttpError {
  constructor(id: string) {
    super(409, `Book ${id} is on loan.`, { type: `${problems}/book-on-loan` });
  }
}

export class AlreadyReturned extends HttpError {
  constructor(loanId: string, day: string) {
    super(409, `The loan ${loanId} ended on ${day}.`, { type: `${problems}/already-returned` });
  }
}

export class LoanLimitReached extends HttpError {
  constructor(limit: number) {
    super(409, `The member has reached the limit of ${limit} books.`, {
      type: `${problems}/loan-limit-reached`,
    });
  }
}

export class NotYourLoan extends HttpError {
  constructor() {
    super(403, "Only librarians can lend a book to another member.", {
      type: `${problems}/not-your-loan`,
    });
  }
}

export class EmailTaken extends HttpError {
  constructor() {
    super(409, "This e-mail address is already registered.", { type: `${problems}/email-taken` });
  }
}

export class LogInFailed extends HttpError {
  constructor() {
    super(401, "The e-mail address or the password is wrong.", {
      type: `${problems}/log-in-failed`,
      headers: { "www-authenticate": 'Bearer realm="bookshelf"' },
    });
  }
}

export class MemberHasBooks extends HttpError {
  constructor(id: string) {
    super(409, `Member ${id} must return all books first.`, {
      type: `${problems}/member-has-books`,
    });
  }
}

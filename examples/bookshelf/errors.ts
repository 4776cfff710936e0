import { HttpError } from "espalier";

/** Where the kinds of problem of this API would be explained. */
const problems = "https://bookshelf.example/problems";

export class BookNotFound extends HttpError {
  constructor(id: string) {
    super(404, `There is no book ${id}.`, { type: `${problems}/book-not-found` });
  }
}

export class MemberNotFound extends HttpError {
  constructor(id: string) {
    super(404, `There is no member ${id}.`, { type: `${problems}/member-not-found` });
  }
}

export class LoanNotFound extends HttpError {
  constructor(id: string) {
    super(404, `There is no loan ${id}.`, { type: `${problems}/loan-not-found` });
  }
}

export class CoverNotFound extends HttpError {
  constructor(bookId: string) {
    super(404, `The book ${bookId} has no cover.`, { type: `${problems}/cover-not-found` });
  }
}

export class BookExists extends HttpError {
  constructor(id: string) {
    super(409, `The book ${id} is in the library already.`, { type: `${problems}/book-exists` });
  }
}

export class BookOnLoan extends HttpError {
  constructor(id: string) {
    super(409, `The book ${id} is on loan.`, { type: `${problems}/book-on-loan` });
  }
}

export class AlreadyReturned extends HttpError {
  constructor(loanId: string, day: string) {
    super(409, `The loan ${loanId} ended on ${day}.`, { type: `${problems}/already-returned` });
  }
}

export class LoanLimitReached extends HttpError {
  constructor(limit: number) {
    super(409, `The member has as many books as one may have: ${limit}.`, {
      type: `${problems}/loan-limit-reached`,
    });
  }
}

export class NotYourLoan extends HttpError {
  constructor() {
    super(403, "Only a librarian lends a book to somebody else.", {
      type: `${problems}/not-your-loan`,
    });
  }
}

export class EmailTaken extends HttpError {
  constructor() {
    super(409, "Somebody has this e-mail address already.", { type: `${problems}/email-taken` });
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
    super(409, `The member ${id} has books to return first.`, {
      type: `${problems}/member-has-books`,
    });
  }
}

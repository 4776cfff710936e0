import type { Router } from "espalier";
import type { Book } from "./repositories/books.ts";
import type { Loan } from "./repositories/loans.ts";
import type { Member } from "./repositories/members.ts";

/*
 * JSON representations of the records: the record and its links, built from route names, so that
 * paths are written only in routes.ts.
 */

export function bookView(router: Router, book: Book, available: boolean) {
  const { id } = book;
  return {
    ...book,
    available,
    links: {
      self: router.url("books.show", { id }),
      loans: router.url("books.loans.list", { id }),
      cover: router.url("books.cover.show", { id }),
      short: router.url("short-link", { isbn: id }),
    },
  };
}

export function loanView(router: Router, loan: Loan) {
  return {
    ...loan,
    links: {
      self: router.url("loans.show", { id: loan.id }),
      book: router.url("books.show", { id: loan.bookId }),
      member: router.url("members.show", { id: loan.memberId }),
    },
  };
}

export function memberView(router: Router, member: Member) {
  const { id } = member;
  return {
    ...member,
    links: {
      self: router.url("members.show", { id }),
      loans: router.url("members.loans", { id }),
      notices: router.url("members.notices", { id }),
    },
  };
}

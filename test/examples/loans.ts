import { expect } from "vitest";
import type { BookshelfAssertion } from "./assertions.ts";
import { addBook, addMember, type BookAnswer, giveBack, type LoanAnswer, lend } from "./records.ts";
import { dataOf, errorsOf, problemOf, type Send, withJson } from "./send.ts";

const unknownId = "00000000-0000-4000-8000-000000000000";

async function isAvailable(send: Send, bookId: string): Promise<boolean> {
  return (await dataOf<BookAnswer>(await send(`/api/v1/books/${bookId}`))).available;
}

async function loanIds(send: Send, path: string): Promise<readonly string[]> {
  return (await dataOf<LoanAnswer[]>(await send(path))).map(({ id }) => id);
}

export const loanAssertions: readonly BookshelfAssertion[] = [
  {
    title: "a book is lent and returned, and can be lent again",
    async run(send) {
      const [book, member] = [await addBook(send), await addMember(send)];
      const lent = await lend(send, book, member);
      const loan = await dataOf<LoanAnswer>(lent.clone());
      expect([lent.status, lent.headers.get("location")]).toEqual([
        201,
        `/api/v1/loans/${loan.id}`,
      ]);
      expect(loan).toMatchObject({ bookId: book, memberId: member, returnedOn: null });
      const days = (Date.parse(loan.dueOn) - Date.parse(loan.lentOn)) / 86_400_000;
      expect(days).toBe(21);
      expect(await isAvailable(send, book)).toBe(false);
      for (const path of [
        `/api/v1/books/${book}/loans`,
        `/api/v1/members/${member}/loans`,
        "/api/v1/loans",
        "/api/v1/loans?state=all",
      ]) {
        expect(await loanIds(send, path), path).toContain(loan.id);
      }

      const returned = await giveBack(send, loan.id, { condition: "worn" });
      expect(await dataOf(returned)).toMatchObject({ returnedOn: loan.lentOn, condition: "worn" });
      expect(await isAvailable(send, book)).toBe(true);
      expect(await loanIds(send, "/api/v1/loans")).not.toContain(loan.id);
      expect(await loanIds(send, "/api/v1/loans?state=returned")).toContain(loan.id);
      expect(await loanIds(send, `/api/v1/members/${member}/loans`)).toEqual([]);
      expect((await lend(send, book, member)).status).toBe(201);
    },
  },
  {
    title: "a book on loan cannot be lent again or deleted",
    async run(send) {
      const [book, member] = [await addBook(send), await addMember(send)];
      expect((await lend(send, book, member)).status).toBe(201);
      const onLoan = [409, `Book ${book} is on loan.`];
      expect(await problemOf(await lend(send, book, await addMember(send)))).toEqual(onLoan);
      const removed = await send(`/api/v1/books/${book}`, { method: "DELETE" });
      expect(await problemOf(removed)).toEqual(onLoan);
    },
  },
  {
    title: "a loan can be returned once",
    async run(send) {
      const [book, member] = [await addBook(send), await addMember(send)];
      const { id } = await dataOf<LoanAnswer>(await lend(send, book, member));
      const { returnedOn } = await dataOf<LoanAnswer>(await giveBack(send, id));
      const again = await giveBack(send, id, { condition: "damaged" });
      expect(await problemOf(again)).toEqual([409, `The loan ${id} ended on ${returnedOn}.`]);
      const shown = await dataOf(await send(`/api/v1/loans/${id}`));
      expect(shown).not.toHaveProperty("condition");
    },
  },
  {
    title: "a return needs no body",
    async run(send) {
      const [book, member] = [await addBook(send), await addMember(send)];
      const { id } = await dataOf<LoanAnswer>(await lend(send, book, member));
      const response = await send(`/api/v1/loans/${id}/return`, { method: "POST" });
      expect(response.status).toBe(200);
    },
  },
  {
    title: "a member can borrow at most three books",
    async run(send) {
      const member = await addMember(send);
      const statuses: number[] = [];
      for (let count = 0; count < 4; count++) {
        statuses.push((await lend(send, await addBook(send), member)).status);
      }
      expect(statuses).toEqual([201, 201, 201, 409]);
    },
  },
  {
    title: "a loan requires an existing member, an existing book and a valid number of days",
    async run(send) {
      const book = await addBook(send);
      expect(await problemOf(await lend(send, book, unknownId))).toEqual([
        404,
        `Member ${unknownId} not found.`,
      ]);
      const path = `/api/v1/books/${book}/loans`;
      const wrong = await send(path, withJson("POST", { memberId: "me", days: "7" }));
      expect(await errorsOf(wrong)).toEqual([
        422,
        { memberId: "memberId must be a valid UUID", days: "days must be an integer" },
      ]);
      const member = await addMember(send);
      const endless = await send(path, withJson("POST", { memberId: member, days: 61 }));
      expect(await errorsOf(endless)).toEqual([422, { days: "days must be at most 60" }]);
      expect(await isAvailable(send, book)).toBe(true);
    },
  },
  {
    title: "an unknown loan responds with 404, an invalid id with 422",
    async run(send) {
      const problem = [404, `Loan ${unknownId} not found.`];
      expect(await problemOf(await send(`/api/v1/loans/${unknownId}`))).toEqual(problem);
      expect(await problemOf(await giveBack(send, unknownId))).toEqual(problem);
      const invalid = [422, { id: "id must be a valid UUID" }];
      expect(await errorsOf(await send("/api/v1/loans/7"))).toEqual(invalid);
      expect(await errorsOf(await giveBack(send, "7"))).toEqual(invalid);
      const condition = await giveBack(send, unknownId, { condition: "eaten" });
      expect(await errorsOf(condition)).toEqual([
        422,
        { condition: "condition must be one of: good, worn, damaged" },
      ]);
    },
  },
  {
    title: "the first overdue loan is overdue",
    async run(send) {
      const overdue = await loanIds(send, "/api/v1/loans?state=overdue");
      expect(overdue).toEqual(["98fa51cf-47f0-4bfd-bdeb-f40ffe26a9b7"]);
      expect((await send("/api/v1/loans?state=lost")).status).toBe(422);
    },
  },
  {
    title:
      "of 20 concurrent requests for a book, one succeeds; on KV, without a lock, at least one",
    async run(send, place) {
      const book = await addBook(send);
      const members = await Promise.all(Array.from({ length: 20 }, () => addMember(send)));
      const responses = await Promise.all(members.map((member) => lend(send, book, member)));
      const statuses = responses.map(({ status }) => status);
      const winners = responses.filter(({ status }) => status === 201);
      expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([]);
      if (place.storage === "memory") expect(winners).toHaveLength(1);
      else expect(winners.length).toBeGreaterThanOrEqual(1);

      // Every loan can be returned, and then the book is available.
      for (const response of winners) {
        const { id } = await dataOf<LoanAnswer>(response);
        expect((await giveBack(send, id)).status).toBe(200);
      }
      expect(await isAvailable(send, book)).toBe(true);
      expect(await loanIds(send, `/api/v1/books/${book}/loans`)).toHaveLength(winners.length);
    },
  },
];

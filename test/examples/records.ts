import { dataOf, type Send, withJson } from "./send.ts";

export interface BookAnswer {
  readonly id: string;
  readonly title: string;
  readonly available: boolean;
  readonly links: Readonly<Record<string, string>>;
}

export interface LoanAnswer {
  readonly id: string;
  readonly bookId: string;
  readonly memberId: string;
  readonly lentOn: string;
  readonly dueOn: string;
  readonly returnedOn: string | null;
}

let count = 0;

/** Returns a unique ISBN. */
export function newIsbn(): string {
  count += 1;
  const digits = `979942${String(count).padStart(6, "0")}`;
  const sum = [...digits].reduce(
    (total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3),
    0,
  );
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

export function bookInput(over: object = {}): object {
  return {
    isbn: newIsbn(),
    title: "A Book of a Test",
    authors: ["Unknown"],
    publishedOn: "2020-02-29",
    ...over,
  };
}

/** Adds a book and returns its id. */
export async function addBook(send: Send, over: object = {}): Promise<string> {
  const response = await send("/api/v1/books", withJson("POST", bookInput(over)));
  return (await dataOf<BookAnswer>(response)).id;
}

export const testPassword = "nine-blue-doors";

/** Adds a member and returns the id. */
export async function addMember(send: Send, email: string = newEmail()): Promise<string> {
  const input = { name: "Test Member", email, password: testPassword };
  const response = await send("/api/v1/members", withJson("POST", input));
  return (await dataOf<{ id: string }>(response)).id;
}

/** Returns a unique address. */
export function newEmail(): string {
  count += 1;
  return `member-${count}@members.example`;
}

/** Logs in and returns the token. */
export async function logIn(send: Send, email: string, password: string): Promise<string> {
  const response = await send("/api/v1/log-in", withJson("POST", { email, password }));
  return (await dataOf<{ token: string }>(response)).token;
}

/** Returns a token of the seeded librarian. */
export function logInLibrarian(send: Send): Promise<string> {
  return logIn(send, "librarian@members.example", "open-sesame-for-development");
}

export function lend(send: Send, bookId: string, memberId: string): Promise<Response> {
  return send(`/api/v1/books/${bookId}/loans`, withJson("POST", { memberId }));
}

export function giveBack(send: Send, loanId: string, body: object = {}): Promise<Response> {
  return send(`/api/v1/loans/${loanId}/return`, withJson("POST", body));
}

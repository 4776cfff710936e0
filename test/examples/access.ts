import { expect } from "vitest";
import type { BookshelfAssertion } from "./assertions.ts";
import {
  addBook,
  addMember,
  bookInput,
  giveBack,
  type LoanAnswer,
  lend,
  logIn,
  newEmail,
  testPassword,
} from "./records.ts";
import { dataOf, problemOf, type Send, withJson } from "./send.ts";

interface SignedUp {
  readonly id: string;
  readonly email: string;
  /** Sends with the member's token. */
  readonly send: Send;
}

async function signUp(send: Send): Promise<SignedUp> {
  const email = newEmail();
  const id = await addMember(send, email);
  const token = await logIn(send, email, testPassword);
  const authorization = `Bearer ${token}`;
  return {
    id,
    email,
    send: (path, init) => send(path, { ...init, headers: { ...init?.headers, authorization } }),
  };
}

const withoutToken = { authorization: "" };
const denied = (policy: string) => [403, `Policy "${policy}" denied access.`];

export const accessAssertions: readonly BookshelfAssertion[] = [
  {
    title: "a wrong password and an unknown address get the same response",
    async run(send) {
      const { email } = await signUp(send);
      for (const body of [
        { email, password: "wrong" },
        { email: newEmail(), password: testPassword },
        { email: "toString@members.example", password: testPassword },
      ]) {
        const response = await send("/api/v1/log-in", withJson("POST", body));
        expect(response.headers.get("www-authenticate")).toContain("Bearer");
        expect(await problemOf(response)).toEqual([
          401,
          "The e-mail address or the password is wrong.",
        ]);
      }
      const again = { name: "Other", email: email.toUpperCase(), password: testPassword };
      expect(await problemOf(await send("/api/v1/members", withJson("POST", again)))).toEqual([
        409,
        "This e-mail address is already registered.",
      ]);
    },
  },
  {
    title: "without a token, or with a forged one, requests are rejected and change nothing",
    async run(send) {
      const id = await addBook(send);
      const member = await signUp(send);
      const forged = `Bearer ${btoa('{"alg":"none"}')}.${btoa('{"sub":"1"}')}.`;
      const requests: readonly [path: string, method: string][] = [
        ["/api/v1/books", "POST"],
        [`/api/v1/books/${id}`, "PUT"],
        [`/api/v1/books/${id}`, "DELETE"],
        [`/api/v1/books/${id}/cover`, "PUT"],
        [`/api/v1/books/${id}/loans`, "GET"],
        [`/api/v1/books/${id}/loans`, "POST"],
        ["/api/v1/loans", "GET"],
        ["/api/v1/members", "GET"],
        [`/api/v1/members/${member.id}`, "GET"],
        [`/api/v1/members/${member.id}/loans`, "GET"],
        [`/api/v1/members/${member.id}`, "DELETE"],
        ["/api/v1/notices", "POST"],
      ];
      for (const [path, method] of requests) {
        for (const headers of [withoutToken, { authorization: forged }]) {
          const [status] = await problemOf(await send(path, { method, headers }));
          expect([method, path, status]).toEqual([method, path, 401]);
        }
      }
      expect((await send(`/api/v1/books/${id}`, { headers: withoutToken })).status).toBe(200);
    },
  },
  {
    title: "only librarians change books and see all members and notices",
    async run(send) {
      const id = await addBook(send);
      const member = await signUp(send);
      const requests: readonly [path: string, init: RequestInit][] = [
        ["/api/v1/books", withJson("POST", bookInput())],
        [`/api/v1/books/${id}`, withJson("PUT", bookInput())],
        [`/api/v1/books/${id}`, { method: "DELETE" }],
        [`/api/v1/books/${id}/cover`, { method: "PUT" }],
        [`/api/v1/books/${id}/loans`, {}],
        ["/api/v1/members", {}],
        ["/api/v1/notices", { method: "POST" }],
      ];
      for (const [path, init] of requests) {
        expect(await problemOf(await member.send(path, init)), path).toEqual(denied("librarian"));
      }
      expect((await send(`/api/v1/books/${id}`)).status).toBe(200);
    },
  },
  {
    title: "members see and return only their own loans, librarians all loans",
    async run(send) {
      const [first, second] = [await signUp(send), await signUp(send)];
      const path = `/api/v1/books/${await addBook(send)}/loans`;
      const lent = await first.send(path, withJson("POST", {}));
      const loan = await dataOf<LoanAnswer>(lent);
      expect([lent.status, loan.memberId]).toEqual([201, first.id]);
      const idsOf = async (sender: Send): Promise<string[]> =>
        (await dataOf<LoanAnswer[]>(await sender("/api/v1/loans?state=all"))).map(({ id }) => id);
      expect(await idsOf(first.send)).toEqual([loan.id]);
      expect(await idsOf(second.send)).toEqual([]);
      expect(await idsOf(send)).toContain(loan.id);

      for (const id of [loan.id, "98fa51cf-47f0-4bfd-bdeb-f40ffe26a9b7", "7", "x".repeat(900)]) {
        const shown = await second.send(`/api/v1/loans/${id}`);
        expect(await problemOf(shown)).toEqual(denied("own-loan"));
        expect(await problemOf(await giveBack(second.send, id))).toEqual(denied("own-loan"));
      }
      expect((await first.send(`/api/v1/loans/${loan.id}`)).status).toBe(200);
      expect((await giveBack(first.send, loan.id)).status).toBe(200);
    },
  },
  {
    title: "members cannot borrow for other members or see their accounts",
    async run(send) {
      const [first, second] = [await signUp(send), await signUp(send)];
      const book = await addBook(send);
      expect(await problemOf(await lend(first.send, book, second.id))).toEqual([
        403,
        "Only librarians can lend a book to another member.",
      ]);
      for (const path of ["", "/loans", "/notices"]) {
        const other = await first.send(`/api/v1/members/${second.id}${path}`);
        expect(await problemOf(other)).toEqual(denied("own-account"));
        expect((await first.send(`/api/v1/members/${first.id}${path}`)).status).toBe(200);
      }
      const init = { method: "DELETE" };
      expect((await first.send(`/api/v1/members/${second.id}`, init)).status).toBe(403);
      expect((await first.send(`/api/v1/members/${first.id}`, init)).status).toBe(204);
      const body = { email: first.email, password: testPassword };
      expect((await send("/api/v1/log-in", withJson("POST", body))).status).toBe(401);
    },
  },
  {
    title:
      "the OpenAPI document has every route with its guards, and a documentation page shows it",
    async run(send) {
      const answer = await send("/openapi.json", { headers: withoutToken });
      const { openapi, paths } = (await answer.json()) as {
        openapi: string;
        paths: Record<string, Record<string, { summary?: string; responses: object }>>;
      };
      expect(openapi).toBe("3.1.0");
      const operations = Object.values(paths).flatMap((path) => Object.values(path));
      const summaries = operations.map(({ summary }) => summary).filter(Boolean);
      expect(summaries.length).toBeGreaterThan(20);
      const guarded = paths["/api/v1/loans/{id}/return"]?.["post"];
      expect(Object.keys(guarded?.responses ?? {})).toEqual(
        expect.arrayContaining(["401", "403", "422", "429"]),
      );
      const page = await send("/docs", { headers: withoutToken });
      expect(await page.text()).toContain("Return a book");
    },
  },
  {
    title: "health checks, secure headers and CORS are enabled",
    async run(send, place) {
      const headers = { origin: "https://elsewhere.example", "x-request-id": "a-request" };
      const response = await send("/health/ready", { headers });
      expect(await response.json()).toMatchObject({
        status: "pass",
        checks: { storage: { status: "pass", keptIn: place.storage } },
      });
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "access-control-allow-origin": "*",
        "x-content-type-options": "nosniff",
        "x-frame-options": "SAMEORIGIN",
        "x-request-id": "a-request",
      });
      const preflight = { ...headers, "access-control-request-method": "PUT" };
      const allowed = await send("/api/v1/books", { method: "OPTIONS", headers: preflight });
      expect([allowed.status, allowed.headers.get("access-control-allow-methods")]).toEqual([
        204,
        expect.stringContaining("PUT"),
      ]);
    },
  },
];

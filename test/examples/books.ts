import { expect } from "vitest";
import type { BookshelfAssertion } from "./assertions.ts";
import { addBook, type BookAnswer, bookInput, newIsbn } from "./records.ts";
import { dataOf, errorsOf, problemOf, withJson } from "./send.ts";

const books = "/api/v1/books";

export const bookAssertions: readonly BookshelfAssertion[] = [
  {
    title: "a book is added, shown, replaced and removed",
    async run(send) {
      const isbn = newIsbn();
      const hyphened = `${isbn.slice(0, 3)}-${isbn.slice(3)}`;
      const input = bookInput({
        isbn: hyphened,
        tags: ["a-tag"],
        publisher: { name: "P", secret: 1 },
      });
      const added = await send(books, withJson("POST", input));
      expect([added.status, added.headers.get("location")]).toEqual([201, `${books}/${isbn}`]);
      const expected = {
        id: isbn,
        isbn: hyphened,
        title: "A Book of a Test",
        authors: ["Unknown"],
        publishedOn: "2020-02-29",
        tags: ["a-tag"],
        // Fields without a rule are not stored.
        publisher: { name: "P" },
        available: true,
      };
      expect(await dataOf(added)).toMatchObject(expected);

      const shown = await dataOf<BookAnswer>(await send(`${books}/${isbn}`));
      expect(shown).toMatchObject(expected);
      expect(shown.links).toEqual({
        self: `${books}/${isbn}`,
        loans: `${books}/${isbn}/loans`,
        cover: `${books}/${isbn}/cover`,
        short: `/b/${isbn}`,
      });

      const { isbn: _, ...changes } = bookInput({ title: "Better", pages: 12 }) as { isbn: string };
      const replaced = await dataOf(await send(`${books}/${isbn}`, withJson("PUT", changes)));
      expect(replaced).toMatchObject({ isbn: hyphened, title: "Better", pages: 12, tags: [] });
      expect(replaced).not.toHaveProperty("publisher");

      const removed = await send(`${books}/${isbn}`, { method: "DELETE" });
      expect([removed.status, await removed.text()]).toEqual([204, ""]);
      expect((await send(`${books}/${isbn}`)).status).toBe(404);
    },
  },
  {
    title: "every invalid field of a book is reported",
    async run(send) {
      const wrong = {
        isbn: "979-9-4100-0001-5",
        title: "  ",
        authors: ["A", 2],
        publishedOn: "2021-02-29",
        pages: 1.5,
        tags: ["Upper"],
        publisher: { city: 3 },
      };
      expect(await errorsOf(await send(books, withJson("POST", wrong)))).toEqual([
        422,
        {
          isbn: "isbn has a wrong check digit",
          title: "title format is invalid",
          "authors.1": "authors.1 must be a string",
          publishedOn: "publishedOn must be a date such as 2024-02-29",
          pages: "pages must be an integer",
          "tags.0": "tags.0 format is invalid",
          "publisher.name": "publisher.name is required",
          "publisher.city": "publisher.city must be a string",
        },
      ]);
    },
  },
  {
    title: "a body of another content type is rejected with 415",
    async run(send) {
      const missing = { isbn: "isbn is required", title: "title is required" };
      for (const body of [[], "text", 7, null, {}]) {
        const [status, errors] = await errorsOf(await send(books, withJson("POST", body)));
        expect([status, errors]).toEqual([422, expect.objectContaining(missing)]);
      }
      expect((await send(books, { method: "POST" })).status).toBe(422);
      expect((await send(books, { ...withJson("POST", {}), body: "{" })).status).toBe(400);
      const form = { method: "POST", body: new URLSearchParams({ title: "x" }) };
      expect(await problemOf(await send(books, form))).toEqual([415, "Send application/json."]);
      const huge = await send(books, withJson("POST", { title: "x".repeat(1_100_000) }));
      expect(huge.status).toBe(413);
      await huge.body?.cancel();
    },
  },
  {
    title: "a second book with the same ISBN is rejected, with or without hyphens",
    async run(send) {
      const isbn = newIsbn();
      const spelled = `${isbn.slice(0, 3)}-${[...isbn.slice(3)].join("-")}`;
      await addBook(send, { isbn });
      for (const again of [isbn, spelled]) {
        const response = await send(books, withJson("POST", bookInput({ isbn: again })));
        expect(await problemOf(response)).toEqual([409, `Book ${isbn} already exists.`]);
      }
    },
  },
  {
    title: "every route of an unknown book responds with 404",
    async run(send) {
      const id = newIsbn();
      const { isbn: _, ...changes } = bookInput() as { isbn: string };
      const member = { memberId: "4e7f8288-fa18-486a-8be3-3ecfe3856d61" };
      const requests: readonly [path: string, init?: RequestInit][] = [
        [""],
        ["", withJson("PUT", changes)],
        ["", { method: "DELETE" }],
        ["/loans"],
        ["/loans", withJson("POST", member)],
      ];
      for (const [path, init] of requests) {
        const problem = await problemOf(await send(`${books}/${id}${path}`, init));
        expect(problem).toEqual([404, `Book ${id} not found.`]);
      }
      const response = await send(`${books}/${id}`);
      expect(await response.json()).toMatchObject({
        type: "https://bookshelf.example/problems/book-not-found",
        title: "Not Found",
        instance: expect.stringContaining(`/${id}`),
      });
    },
  },
  {
    title: "a path without a valid ISBN does not match",
    async run(send) {
      for (const id of ["x", "97994100000140", "__proto__", "%00", "a".repeat(2000)]) {
        expect((await send(`${books}/${id}`)).status, id).toBe(404);
      }
    },
  },
  {
    title: "an unsupported method responds with 405 and the allowed methods",
    async run(send) {
      const response = await send(`${books}/9799410000014`, { method: "PATCH" });
      expect([response.status, response.headers.get("allow")]).toEqual([
        405,
        "DELETE, GET, HEAD, PUT, OPTIONS",
      ]);
    },
  },
  {
    title: "names of built-in properties are harmless in a body",
    async run(send) {
      const isbn = newIsbn();
      const text = JSON.stringify(bookInput({ isbn, title: "__proto__" }));
      const body = text.replace("{", '{"__proto__":{"available":"polluted"},"constructor":1,');
      const response = await send(books, { ...withJson("POST", {}), body });
      expect(await dataOf(response)).toMatchObject({ title: "__proto__", available: true });
      expect(await dataOf(await send(`${books}/${isbn}`))).not.toHaveProperty("constructor", 1);
    },
  },
];

import { beforeAll, describe, expect, test } from "vitest";
import { samples } from "../../examples/bookshelf/page/samples.ts";
import { assertions } from "./assertions.ts";
import { type Bookshelf, openBookshelf } from "./bookshelf.ts";
import { addBook, addMember, bookInput, type LoanAnswer, lend } from "./records.ts";
import { dataOf, problemOf, type Send, withJson } from "./send.ts";

describe("the bookshelf in this process", () => {
  let app: Bookshelf;
  beforeAll(async () => {
    app = await openBookshelf();
  });

  for (const { title, run } of assertions) {
    test(title, () => run((path, init) => app.request(path, init), { storage: "memory" }));
  }

  test("every route has a sample on the page", () => {
    const names = app
      .getRouter()
      .routes()
      .map(({ name }) => name);
    expect([...samples.keys()].sort()).toEqual([...names].sort());
  });

  test("while the library is taking stock, it is read and not changed", async () => {
    const env = { READ_ONLY: "true" };
    const add = withJson("POST", bookInput());
    const refused = await app.request("/api/v1/books", add, env);
    expect(refused.headers.get("retry-after")).toBe("3600");
    expect(await problemOf(refused)).toEqual([
      503,
      "The library is taking stock. Please come back later.",
    ]);
    expect((await app.request("/api/v1/books", {}, env)).status).toBe(200);
    expect((await app.request("/api/v1/books", add)).status).toBe(201);
  });

  test("the environment says how long books are lent, and how many", async () => {
    const other = await openBookshelf();
    const env = { LENDING_DAYS: "7", LENDING_BOOKS_PER_MEMBER: "1" };
    const send: Send = (path, init) => other.request(path, init, env);
    const member = await addMember(send);
    const first = await lend(send, await addBook(send), member);
    const { lentOn, dueOn } = await dataOf<LoanAnswer>(first);
    expect(Date.parse(dueOn) - Date.parse(lentOn)).toBe(7 * 86_400_000);
    expect(await problemOf(await lend(send, await addBook(send), member))).toEqual([
      409,
      "The member has as many books as one may have: 1.",
    ]);
  });

  test("two libraries in one process do not know each other's books", async () => {
    const other = await openBookshelf();
    const added = await other.request("/api/v1/books", withJson("POST", bookInput()));
    const location = added.headers.get("location") ?? "";
    expect((await other.request(location)).status).toBe(200);
    expect((await app.request(location)).status).toBe(404);
  });

  test("two first requests at once open one library", async () => {
    const fresh = await openBookshelf();
    const send = (path: string): Promise<Response> => fresh.request(path);
    const answers = await Promise.all([send("/api/v1/loans"), send("/api/v1/loans"), send("/")]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { data } = (await (await send("/api/v1/loans")).json()) as { data: unknown[] };
    expect(data).toHaveLength(2);
  });
});

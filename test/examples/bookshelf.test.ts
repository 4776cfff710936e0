import { beforeAll, describe, expect, test } from "vitest";
import { samples } from "../../examples/bookshelf/page/samples.ts";
import { assertions, sendAsLibrarian } from "./assertions.ts";
import { type Bookshelf, openBookshelf } from "./bookshelf.ts";
import { expectLimits } from "./limits.ts";
import { addBook, addMember, bookInput, type LoanAnswer, lend, logIn } from "./records.ts";
import { dataOf, problemOf, type Send, withJson } from "./send.ts";

/** Sends as the librarian, without rate limits. */
function sendTo(app: Bookshelf, env: object = {}): Send {
  return sendAsLibrarian((path, init) => app.request(path, init, { RATE_LIMITS: "off", ...env }));
}

describe("the bookshelf in this process", () => {
  let app: Bookshelf;
  let send: Send;
  beforeAll(async () => {
    app = await openBookshelf();
    send = sendTo(app);
  });

  for (const { title, run } of assertions) {
    test(title, () => run(send, { storage: "memory" }));
  }

  test("every route has a sample on the page", () => {
    const names = app
      .getRouter()
      .routes()
      .map(({ name }) => name)
      // Built-in endpoints have none.
      .filter((name) => name !== undefined);
    expect([...samples.keys()].sort()).toEqual([...names].sort());
  });

  test("in read-only mode, changes are rejected", async () => {
    const add = withJson("POST", bookInput());
    const refused = await app.request("/api/v1/books", add, { READ_ONLY: "true" });
    expect(refused.headers.get("retry-after")).toBe("3600");
    expect(await problemOf(refused)).toEqual([
      503,
      "The library is read-only during stocktaking. Please try again later.",
    ]);
    expect((await app.request("/api/v1/books", {}, { READ_ONLY: "true" })).status).toBe(200);
    expect((await send("/api/v1/books", add)).status).toBe(201);
  });

  test("environment variables configure the loan period and limit", async () => {
    const other = await openBookshelf();
    const env = { LENDING_DAYS: "7", LENDING_BOOKS_PER_MEMBER: "1" };
    const send = sendTo(other, env);
    const member = await addMember(send);
    const first = await lend(send, await addBook(send), member);
    const { lentOn, dueOn } = await dataOf<LoanAnswer>(first);
    expect(Date.parse(dueOn) - Date.parse(lentOn)).toBe(7 * 86_400_000);
    expect(await problemOf(await lend(send, await addBook(send), member))).toEqual([
      409,
      "The member has reached the limit of 1 books.",
    ]);
  });

  test("two libraries in one process are isolated", async () => {
    const other = await openBookshelf();
    const added = await sendTo(other)("/api/v1/books", withJson("POST", bookInput()));
    const location = added.headers.get("location") ?? "";
    expect((await other.request(location)).status).toBe(200);
    expect((await app.request(location)).status).toBe(404);
  });

  test("two concurrent first requests seed one library", async () => {
    const fresh = await openBookshelf();
    const anonymous = (path: string): Promise<Response> => fresh.request(path);
    const answers = await Promise.all([
      anonymous("/api/v1/books"),
      anonymous("/api/v1/books"),
      anonymous("/"),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { data } = (await (await sendTo(fresh)("/api/v1/loans")).json()) as { data: unknown[] };
    expect(data).toHaveLength(2);
  });

  test("rate limits are enforced", async () => {
    const other = await openBookshelf();
    await expectLimits((path, init) => other.request(path, init));
  });

  test("in production it refuses to start with a public secret", async () => {
    const secrets = {
      BOOKSHELF_SECRET: "a-secret-that-only-these-tests-use",
      BOOKSHELF_LIBRARIAN_PASSWORD: "a-password-of-the-tests",
    };
    const production = { BOOKSHELF_ENVIRONMENT: "production" };
    for (const name of Object.keys(secrets)) {
      const env = { ...production, ...secrets, [name]: undefined };
      const refused = await (await openBookshelf()).request("/", {}, env);
      expect([name, refused.status]).toEqual([name, 500]);
    }
    const short = { ...production, ...secrets, BOOKSHELF_SECRET: "short" };
    expect((await (await openBookshelf()).request("/", {}, short)).status).toBe(500);
    const started = await openBookshelf();
    const send: Send = (path, init) => started.request(path, init, { ...production, ...secrets });
    expect((await send("/")).status).toBe(200);
    const { BOOKSHELF_LIBRARIAN_PASSWORD: password } = secrets;
    expect(await logIn(send, "librarian@members.example", password)).toMatch(/^eyJ/);
  });
});

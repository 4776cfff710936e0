import { createClient, ProblemError } from "espalier/client";
import { afterAll, expect, test } from "vitest";
import { loadBookshelf } from "../support/bookshelf.ts";
import type { paths } from "./bookshelf-api.ts";

const createBookshelf = await loadBookshelf();
const app = createBookshelf({ logger: { debug() {}, info() {}, warn() {}, error() {} } });
afterAll(() => app.stop());

let token: string | undefined;
const client = createClient<paths>({
  baseUrl: "http://localhost",
  fetch: app.fetch,
  token: () => token,
});

test("a member joins, logs in, borrows a book and looks at the loans", async () => {
  const { data: found } = await client.GET("/api/v1/books", {
    params: { query: { tag: "sea", available: true, perPage: 1, sort: "title" } },
  });
  const [book] = itemsOf(found);
  const isbn = String(Reflect.get(Object(book), "isbn")).replaceAll("-", "");

  await client.POST("/api/v1/members", {
    body: {
      name: "Linnet Garrow",
      email: "linnet@members.example",
      password: "seven-slow-herons",
      phones: [{ kind: "home", number: "+1 555 0100" }],
    },
  });
  const before = await problemOf(client.GET("/api/v1/loans"));
  expect(before.status).toBe(401);

  const { data: login } = await client.POST("/api/v1/log-in", {
    body: { email: "linnet@members.example", password: "seven-slow-herons" },
  });
  token = JSON.stringify(login).match(/"(eyJ[^"]+)"/)?.[1];
  expect(token).toBeDefined();

  const { response } = await client.POST("/api/v1/books/{id}/loans", {
    params: { path: { id: isbn } },
    body: {},
  });
  expect(response.status).toBe(201);
  const { data: loans } = await client.GET("/api/v1/loans");
  expect(itemsOf(loans)).toHaveLength(1);
});

test("invalid fields are reported", async () => {
  const body = { name: "", email: "no-address", password: "short" };
  const problem = await problemOf(client.POST("/api/v1/members", { body }));
  expect(problem.status).toBe(422);
  expect(problem.errors.map(({ field }) => field)).toEqual(["name", "email", "password"]);
});

test("wrong use does not compile", () => {
  const never = (): unknown[] => [
    // @ts-expect-error the API is below /api/v1
    client.GET("/books"),
    // @ts-expect-error no such order
    client.GET("/api/v1/books", { params: { query: { sort: "price" } } }),
    // @ts-expect-error no such field
    client.GET("/api/v1/books", { params: { query: { pagee: 2 } } }),
    // @ts-expect-error the password is missing
    client.POST("/api/v1/log-in", { body: { email: "linnet@members.example" } }),
  ];
  expect(never).toBeTypeOf("function");
});

function itemsOf(data: unknown): readonly unknown[] {
  const inner: unknown = Reflect.get(Object(data), "data");
  if (Array.isArray(inner)) return inner;
  throw new Error(`no list: ${JSON.stringify(data)}`);
}

async function problemOf(call: Promise<unknown>): Promise<ProblemError> {
  const error = await call.then(
    () => "it was a success",
    (reason: unknown) => reason,
  );
  if (error instanceof ProblemError) return error;
  throw new Error(`no ProblemError: ${String(error)}`);
}

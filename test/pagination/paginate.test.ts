import {
  Application,
  cursorRules,
  type PageRulesOptions,
  pageOf,
  pageRules,
  paginate,
  paginateByCursor,
  readCursor,
  rules,
} from "espalier";
import { expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

const bookRules = rules({ id: { type: "integer", required: true } });

function createApp(total: number): Application {
  const app = new Application({ logger: createRecordingLogger(), validateResponses: true });
  const books = Array.from({ length: total }, (_value, index) => ({ id: index + 1 }));
  const router = app.getRouter();
  const query = { ...pageRules(), author: { type: "string" } } as const;
  router.get(
    "/books",
    (ctx) => {
      const { page, perPage } = ctx.validated.query;
      const start = (page - 1) * perPage;
      return paginate(ctx, { items: books.slice(start, start + perPage), total, page, perPage });
    },
    { query, responses: { 200: pageOf(bookRules) } },
  );
  router.get(
    "/feed",
    (ctx) => {
      const { cursor, limit } = ctx.validated.query;
      const [after] = readCursor(cursor, "number") ?? [0];
      const items = books.filter(({ id }) => id > after).slice(0, limit + 1);
      return paginateByCursor(ctx, { items, limit, cursorOf: ({ id }) => [id] });
    },
    { query: cursorRules() },
  );
  return app;
}

async function linksOf(response: Response): Promise<Record<string, string>> {
  const link = response.headers.get("link") ?? "";
  return Object.fromEntries(
    [...link.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel, url]),
  );
}

test("a page in the middle has links to the pages around it", async () => {
  const response = await createApp(95).request("/books?page=3");
  expect(await response.clone().json()).toMatchObject({
    success: true,
    pagination: { page: 3, perPage: 20, total: 95, pages: 5 },
  });
  expect(await linksOf(response)).toEqual({
    first: "/books?page=1&perPage=20",
    prev: "/books?page=2&perPage=20",
    next: "/books?page=4&perPage=20",
    last: "/books?page=5&perPage=20",
  });
});

test.each([
  ["/books", 20, ["first", "next", "last"]],
  ["/books?page=5", 15, ["first", "prev", "last"]],
  ["/books?perPage=100", 95, ["first", "last"]],
])("%s has %i items and the links %j", async (path, items, links) => {
  const response = await createApp(95).request(path);
  expect(Object.keys(await linksOf(response))).toEqual(links);
  expect(((await response.json()) as { data: unknown[] }).data).toHaveLength(items);
});

test("a page behind the last is empty, and leads back to the last", async () => {
  const response = await createApp(95).request("/books?page=900");
  expect(await linksOf(response)).toMatchObject({ prev: "/books?page=5&perPage=20" });
  expect(await response.json()).toMatchObject({ data: [] });
});

test("an empty list has one page to link to", async () => {
  const response = await createApp(0).request("/books");
  expect(await linksOf(response)).toEqual({
    first: "/books?page=1&perPage=20",
    last: "/books?page=1&perPage=20",
  });
  expect(await response.json()).toMatchObject({ pagination: { total: 0, pages: 0 } });
});

test("other query parameters are kept, and cannot break out of the header", async () => {
  const author = encodeURIComponent('a>; rel="next", <//evil.example/é');
  const response = await createApp(95).request(`/books?author=${author}&author=b&page=4`);
  const { next = "", ...others } = await linksOf(response);
  expect(Object.keys(others)).toEqual(["first", "prev", "last"]);
  const { searchParams } = new URL(next, "http://shop.example");
  expect(searchParams.getAll("author")).toEqual([decodeURIComponent(author), "b"]);
  expect(searchParams.getAll("page")).toEqual(["5"]);
});

test.each(["page=0", "page=10001", "page=1.5", "page=x", "perPage=0", "perPage=101"])(
  "%s is a 422",
  async (query) => {
    expect((await createApp(95).request(`/books?${query}`)).status).toBe(422);
  },
);

test("cursors lead through all items once", async () => {
  const app = createApp(45);
  const seen: number[] = [];
  let path: string | undefined = "/feed?limit=10";
  let pages = 0;
  while (path !== undefined) {
    const response: Response = await app.request(path);
    const body = (await response.json()) as {
      data: { id: number }[];
      pagination: { next: string | null };
    };
    seen.push(...body.data.map(({ id }) => id));
    const links = await linksOf(response);
    expect(links["first"]).toBe("/feed?limit=10");
    expect(body.pagination.next === null).toBe(links["next"] === undefined);
    path = links["next"];
    pages += 1;
  }
  expect(pages).toBe(5);
  expect(seen).toEqual(Array.from({ length: 45 }, (_value, index) => index + 1));
});

test.each(["cursor=x", "limit=0", "limit=101", `cursor=${"a".repeat(2049)}`])(
  "%s is a 422",
  async (query) => {
    expect((await createApp(1).request(`/feed?${query}`)).status).toBe(422);
  },
);

test("the OpenAPI document has parameters with limits, and the page", async () => {
  const { paths } = await createApp(1).createOpenApiDocument();
  const operation = (paths["/books"] as Record<string, Record<string, unknown>>)["get"];
  expect(operation?.["parameters"]).toContainEqual({
    name: "perPage",
    in: "query",
    required: false,
    schema: { type: "integer", minimum: 1, maximum: 100, default: 20 },
  });
  expect(JSON.stringify(operation?.["responses"])).toContain('"pagination"');
});

test.each<PageRulesOptions>([
  { perPage: 0 },
  { perPage: 101 },
  { maxPage: 0 },
  { page: 1 } as object,
])("%j is refused", (options) => {
  expect(() => pageRules(options)).toThrow("pageRules()");
});

test("a small maximum bounds the default", () => {
  expect(pageRules({ maxPerPage: 10 }).perPage.default).toBe(10);
  expect(cursorRules({ maxLimit: 10 }).limit.default).toBe(10);
});

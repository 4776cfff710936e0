import type { Application, ModuleWorker } from "espalier";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { codeBlocks, isChecked } from "./code-blocks.ts";
import { curlExchanges } from "./curl-exchanges.ts";
import { importBlocks, namedBlocks } from "./import-blocks.ts";

const blocks = codeBlocks("docs/guide/tour.md");
const files = namedBlocks(blocks.filter(isChecked));
const exchanges = curlExchanges(blocks);
const [hello = [], others = []] = [true, false].map((wanted) =>
  exchanges.filter(({ command }) => /\/hell?o\//.test(command) === wanted),
);

describe("hello.ts", () => {
  test("answers as the page says", async () => {
    const { url, stop } = await listen();
    try {
      expect(hello).toHaveLength(2);
      for (const { request, answer } of hello) {
        const { pathname } = new URL(request(new Map()).url);
        const response = await fetch(new URL(pathname, url));
        expect(await response.text()).toMatch(answer);
      }
    } finally {
      await stop();
    }
  });
});

/** Runs `hello.ts` on a port that is free. */
async function listen(): Promise<{ url: string; stop: () => Promise<void> }> {
  const block = files.get("hello.ts");
  if (block === undefined) throw new Error("tour.md has no hello.ts");
  const text = block.text.replace(
    "app.listen()",
    'app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false })',
  );
  if (text === block.text) throw new Error("hello.ts does not listen");
  const exported = `${text}\nexport { app, url };\n`;
  const log = vi.spyOn(console, "log").mockReturnValue();
  const { app, url } = (await importBlocks(
    new Map([["hello.ts", { ...block, text: exported }]]),
    "hello.ts",
  )) as { app: Application; url: string };
  log.mockRestore();
  return { url, stop: () => app.stop() };
}

describe("the application", async () => {
  const { createApplication } = (await importBlocks(files, "app.ts")) as {
    createApplication: () => Application;
  };
  const app = createApplication();
  const variables = new Map<string, string>();
  const printed: unknown[][] = [];
  beforeAll(() => {
    vi.spyOn(console, "log").mockImplementation((...words) => void printed.push(words));
  });
  afterAll(async () => {
    await app.stop();
    vi.restoreAllMocks();
  });

  test("every block of the page is a file of it", () => {
    expect([...files.keys()].toSorted()).toEqual([
      ...["access.ts", "app.test.ts", "app.ts", "books.ts", "hello.ts", "loans.ts"],
      ...["server.ts", "shelf.ts", "worker.ts"],
    ]);
    expect(files.size).toBe(blocks.filter(isChecked).length);
  });

  test.each(others)("$command", async ({ request, answer }) => {
    const response = await app.fetch(request(variables));
    const text = await response.text();
    expect(text).toMatch(answer);
    const token = /"token":"([^"]+)"/.exec(text)?.[1];
    if (token !== undefined) variables.set("TOKEN", token);
  });

  test("the job has run", async () => {
    await expect.poll(() => printed).toContainEqual(["sent", { book: "1", to: "ada" }]);
  });

  test("the OpenAPI document, its page and the health checks respond", async () => {
    const description = await (await app.request("/openapi.json")).json();
    expect(description).toMatchObject({
      info: { title: "Shelf" },
      paths: { "/books/{id}/loans": { post: { summary: "Lends a book" } } },
    });
    expect((await app.request("/docs")).status).toBe(200);
    expect((await app.request("/health")).status).toBe(200);
  });

  test("the request of its test is refused", async () => {
    const response = await app.request("/books", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ pages: 3 }),
    });
    expect(response.status).toBe(422);
  });

  test("the worker's module has the handlers of the platform", async () => {
    const { default: worker } = (await importBlocks(files, "worker.ts")) as {
      default: ModuleWorker;
    };
    expect(worker).toMatchObject(
      Object.fromEntries(
        ["fetch", "queue", "scheduled"].map((name) => [name, expect.any(Function)]),
      ),
    );
  });
});

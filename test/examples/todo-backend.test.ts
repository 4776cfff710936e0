import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bundle } from "../support/bundle.ts";
import { chromiumPath, launchChromium } from "../support/chromium.ts";
import { hasCurl, runCurlLines } from "./curl-lines.ts";
import { errorsOf, problemOf, withJson } from "./send.ts";
import { platforms, startTodoServer, type TodoServer } from "./todo-backend-servers.ts";

interface TodoAnswer {
  readonly title: string;
  readonly completed: boolean;
  readonly order?: number;
  readonly url: string;
}

describe.each(platforms)("the Todo-Backend on %s", (platform) => {
  let server: TodoServer;
  beforeAll(async () => {
    server = await startTodoServer(platform);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    expect((await fetch(server.todosUrl, { method: "DELETE" })).status).toBe(204);
  });

  const add = (fields: object): Promise<Response> =>
    fetch(server.todosUrl, withJson("POST", fields));
  const added = async (fields: object): Promise<TodoAnswer> => json(await add(fields));
  const patch = (url: string, fields: unknown): Promise<Response> =>
    fetch(url, withJson("PATCH", fields));
  const list = async (): Promise<TodoAnswer[]> => json(await fetch(server.todosUrl));

  test("an empty list is an empty array", async () => {
    expect(await list()).toEqual([]);
  });

  test("a posted todo is returned and listed, not completed, with a unique URL", async () => {
    const response = await add({ title: "walk the dog" });
    expect(response.status).toBe(201);
    const todo = await json<TodoAnswer>(response.clone());
    expect(todo).toMatchObject({ title: "walk the dog", completed: false });
    expect(todo.url).toMatch(new RegExp(`^${server.todosUrl}/\\d+$`));
    expect(response.headers.get("location")).toBe(todo.url);
    expect(await list()).toEqual([todo]);
    expect(await json(await fetch(todo.url))).toEqual(todo);
  });

  test("two todos posted concurrently are both listed, with different URLs", async () => {
    await Promise.all([add({ title: "the first" }), add({ title: "the second" })]);
    const todos = await list();
    expect(todos.map(({ title }) => title).sort()).toEqual(["the first", "the second"]);
    expect(new Set(todos.map(({ url }) => url)).size).toBe(2);
  });

  test("title, completed and order are updated, together or separately", async () => {
    const { url } = await added({ title: "bathe the dog", order: 10 });
    expect(await json(await patch(url, { title: "bathe the cat" }))).toMatchObject({
      title: "bathe the cat",
      completed: false,
      order: 10,
    });
    expect(await json(await patch(url, { completed: true, order: 95 }))).toMatchObject({
      title: "bathe the cat",
      completed: true,
      order: 95,
    });
    expect(await json(await patch(url, { completed: false, order: 0 }))).toMatchObject({
      completed: false,
      order: 0,
    });
    const shown = await json<TodoAnswer>(await fetch(url));
    expect(shown).toMatchObject({ title: "bathe the cat", completed: false, order: 0, url });
    expect(await list()).toEqual([shown]);
  });

  test("concurrent updates of different fields are both kept", async () => {
    const { url } = await added({ title: "a" });
    await Promise.all([patch(url, { title: "b" }), patch(url, { completed: true })]);
    expect(await json(await fetch(url))).toMatchObject({ title: "b", completed: true });
  });

  test("deleting a todo by its URL keeps the others", async () => {
    const [first, second] = [await added({ title: "a" }), await added({ title: "b" })];
    expect((await fetch(first.url, { method: "DELETE" })).status).toBe(204);
    expect(await list()).toEqual([second]);
    for (const method of ["GET", "DELETE"]) {
      expect((await fetch(first.url, { method })).status).toBe(404);
    }
    const id = first.url.split("/").at(-1);
    expect(await problemOf(await patch(first.url, { title: "c" }))).toEqual([
      404,
      `Todo ${id} not found.`,
    ]);
    // Its URL is never reused.
    expect((await added({ title: "c" })).url).not.toBe(first.url);
  });

  test("an invalid todo is rejected and not stored", async () => {
    expect(await errorsOf(await add({}))).toEqual([422, { title: "title is required" }]);
    const wrong = { title: " ", completed: "yes", order: 1.5 };
    const [status, errors] = await errorsOf(await add(wrong));
    expect([status, Object.keys(errors as object)]).toEqual([422, ["title", "completed", "order"]]);
    expect(await list()).toEqual([]);
    expect((await fetch(`${server.todosUrl}/7e3`)).status).toBe(404);
    const { url } = await added({ title: "a" });
    expect((await patch(url, { title: "x".repeat(501) })).status).toBe(422);
    expect((await json<TodoAnswer>(await fetch(url))).title).toBe("a");
  });

  test("every origin may use every method", async () => {
    const origin = "https://client.example";
    const preflight = await fetch(`${server.todosUrl}/1`, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "PATCH",
        "access-control-request-headers": "content-type",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-headers")).toBe("content-type");
    for (const method of ["POST", "PATCH", "DELETE"]) {
      expect(preflight.headers.get("access-control-allow-methods")).toContain(method);
    }
    for (const url of [server.todosUrl, `${server.todosUrl}/999`]) {
      const response = await fetch(url, { headers: { origin } });
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
    }
  });

  // Requires an installed browser.
  test.skipIf(chromiumPath === undefined)(
    "a page of another origin uses every method",
    async () => {
      const pages = createServer((_request, response) => response.end("a page"));
      await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
      const browser = await launchChromium();
      try {
        const page = await browser.newPage();
        await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
        const seen = await page.evaluate(useTodos, server.todosUrl);
        expect(seen).toEqual({ listed: [{ title: "from a page", completed: true }], left: 0 });
      } finally {
        await browser.close();
        pages.close();
      }
    },
  );
});

test("the typed client adds a todo and prints the list", async () => {
  const server = await startTodoServer("node");
  const folder = mkdtempSync(join(tmpdir(), "espalier-todo-client-"));
  try {
    const program = join(folder, "client.mjs");
    writeFileSync(program, (await bundle("examples/todo-backend/client.ts", "node")).code);
    const env = { ...process.env, TODOS_URL: new URL(server.todosUrl).origin };
    const run = (...titles: string[]): Promise<{ stdout: string }> =>
      promisify(execFile)(process.execPath, [program, ...titles], { env });
    expect((await run("Water the basil")).stdout).toBe("· Water the basil\n");
    const patch = withJson("PATCH", { completed: true });
    expect((await fetch(`${server.todosUrl}/1`, patch)).status).toBe(200);
    expect((await run()).stdout).toBe("✓ Water the basil\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await server.stop();
  }
});

test.skipIf(!hasCurl)("the README's curl commands respond with the documented status", async () => {
  const server = await startTodoServer("node");
  try {
    const outcomes = runCurlLines("todo-backend", new URL(server.todosUrl).origin);
    expect(outcomes.length).toBeGreaterThan(3);
    for (const { line, promised, answered } of outcomes) {
      expect([line, answered]).toEqual([line, promised]);
    }
  } finally {
    await server.stop();
  }
});

async function json<Answer>(response: Response): Promise<Answer> {
  return (await response.json()) as Answer;
}

/** Runs in the page. */
async function useTodos(todosUrl: string): Promise<object> {
  const send = async (url: string, method: string, body?: object): Promise<Response> => {
    const headers = { "content-type": "application/json" };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    return fetch(url, { method, headers, ...content });
  };
  const { url } = await (await send(todosUrl, "POST", { title: "from a page" })).json();
  await send(url, "PATCH", { completed: true });
  const todos: { title: string; completed: boolean }[] = await (await send(todosUrl, "GET")).json();
  await send(url, "DELETE");
  const left: unknown[] = await (await send(todosUrl, "GET")).json();
  return {
    listed: todos.map(({ title, completed }) => ({ title, completed })),
    left: left.length,
  };
}

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Application } from "espalier";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CodeBlock, codeBlocks, isChecked } from "./code-blocks.ts";
import { importBlocks, namedBlocks } from "./import-blocks.ts";

const checkedBlocks = (name: string): readonly CodeBlock[] =>
  codeBlocks(`docs/migration/${name}.md`).filter(isChecked);

/** Echoes the request, as the old server. */
const echo = async (method: string, url: string, body: string): Promise<string> =>
  JSON.stringify({ method, url, body });

const names = ["hono", "express", "nestjs", "adonisjs", "laravel"];

test.each(names)("the page for %s has both sides of every subject", (name) => {
  const blocks = codeBlocks(`docs/migration/${name}.md`);
  const labels = blocks.flatMap(({ label }) => label ?? []);
  const there = labels.filter((label) => label !== "Espalier");
  expect(there.length).toBeGreaterThanOrEqual(6);
  expect(new Set(there).size).toBe(1);
  // They alternate, so that the site can show them beside each other.
  expect(labels).toEqual(there.flatMap((label) => [label, "Espalier"]));
});

describe("incremental migration", () => {
  let server: Server;

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const parts: string[] = [];
      for await (const part of request.setEncoding("utf8")) parts.push(String(part));
      response.end(await echo(request.method ?? "", request.url ?? "", parts.join("")));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    process.env["OLD_URL"] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    delete process.env["OLD_URL"];
    await new Promise((resolve) => server.close(resolve));
  });

  /** The application of a page's last block. */
  async function load(name: string): Promise<Application> {
    const files = namedBlocks(checkedBlocks(name));
    const module = (await importBlocks(files, "app.ts")) as {
      app?: Application;
      createApplication?: (old: object) => Application;
    };
    const old = {
      fetch: async (request: Request) => {
        const { pathname, search } = new URL(request.url);
        return new Response(
          await echo(request.method, `${pathname}${search}`, await request.text()),
        );
      },
    };
    const app = module.app ?? module.createApplication?.(old);
    if (app === undefined) throw new Error(`${name}.md exports no application`);
    return app;
  }

  test.each(names)("%s: requests without a route go to the old application", async (name) => {
    const app = await load(name);
    expect(await (await app.request("/books/7")).json()).toEqual({ id: "7" });
    const response = await app.request("/loans/%C3%A9?page=2", { method: "POST", body: "a=b" });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      method: "POST",
      url: "/loans/%C3%A9?page=2",
      body: "a=b",
    });
    expect(await (await app.request("/")).json()).toMatchObject({ method: "GET", url: "/" });
    await app.stop();
  });
});

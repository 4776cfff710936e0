import type { Application } from "espalier";
import { expect, test } from "vitest";
import { codeBlocks, isChecked } from "./code-blocks.ts";
import { importBlocks, namedBlocks } from "./import-blocks.ts";

const files = namedBlocks(codeBlocks("docs/guide/tenancy.md").filter(isChecked));
const { app } = (await importBlocks(files, "tenants.ts")) as { app: Application };

const ask = (host: string, path: string, method = "GET"): Promise<Response> =>
  app.fetch(new Request(`http://${host}${path}`, { method }));

test("tenants see their own data", async () => {
  expect((await ask("acme.shop.example", "/orders", "POST")).status).toBe(201);
  await ask("globex.shop.example", "/orders", "POST");
  const orders = await (await ask("acme.shop.example", "/orders")).json();
  expect(orders).toEqual([{ tenant: 1, id: 1 }]);
  const greetings = ["acme", "globex", "acme"].map(async (name) =>
    (await ask(`${name}.shop.example`, "/greeting")).json(),
  );
  expect(await Promise.all(greetings)).toEqual([
    "Welcome to Acme",
    "Welcome to Globex",
    "Welcome to Acme",
  ]);
});

test("an unknown tenant is a 404, and a foreign host a 421", async () => {
  expect((await ask("unknown.shop.example", "/orders")).status).toBe(404);
  expect((await ask("shop.evil.example", "/orders")).status).toBe(421);
});

test("a forwarding header does not choose the tenant", async () => {
  const headers = { "x-forwarded-host": "globex.shop.example" };
  const response = await app.fetch(new Request("http://acme.shop.example/greeting", { headers }));
  expect(await response.json()).toBe("Welcome to Acme");
});

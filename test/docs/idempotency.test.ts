import type { Application } from "espalier";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeBlocks, isChecked } from "./code-blocks.ts";
import { importBlocks, namedBlocks } from "./import-blocks.ts";

const files = namedBlocks(codeBlocks("docs/guide/idempotency.md").filter(isChecked));
const { app } = (await importBlocks(files, "payments.ts")) as { app: Application };
const { pay } = (await importBlocks(files, "pay.ts")) as {
  pay(url: string, amount: number): Promise<unknown>;
};

let base = "";
beforeAll(async () => {
  const options = { port: 0, host: "127.0.0.1", gracefulSignals: false };
  ({ url: base } = await app.listen(options));
});
afterAll(() => app.stop());

test("a payment whose response is lost is made once", async () => {
  const realFetch = globalThis.fetch;
  let losses = 1;
  globalThis.fetch = async (...args) => {
    const response = await realFetch(...args);
    losses -= 1;
    if (losses >= 0) throw new TypeError("fetch failed");
    return response;
  };
  try {
    const paid = await pay(new URL("/payments", base).href, 5);
    expect(paid).toEqual({ success: true, data: { id: 1, amount: 5 } });
  } finally {
    globalThis.fetch = realFetch;
  }
  expect(await pay(new URL("/payments", base).href, 6)).toMatchObject({ data: { id: 2 } });
});

test("a payment without a key is refused", async () => {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
  expect((await fetch(new URL("/payments", base), init)).status).toBe(400);
});

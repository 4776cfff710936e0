import { expect, test } from "vitest";
import { Application, json } from "../../src/index.ts";

function post(bytes: Uint8Array<ArrayBuffer>, charset = ""): Promise<Response> {
  const app = new Application();
  app.getRouter().post("/", (ctx) => json(ctx.body));
  const headers = { "content-type": `application/x-www-form-urlencoded${charset}` };
  return Promise.resolve(
    app.fetch(new Request("http://localhost/", { method: "POST", headers, body: bytes })),
  );
}

const form = (length: number, byte: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(length).fill(byte).fill(0x61, 0, 1).fill(0x3d, 1, 2);

test("invalid bytes of a small urlencoded body become U+FFFD", async () => {
  const response = await post(form(5, 0xff));
  expect(await response.json()).toEqual({ a: "\ufffd\ufffd\ufffd" });
});

test("a large urlencoded body of invalid bytes is a 400", async () => {
  expect((await post(form(70_000, 0xff))).status).toBe(400);
});

test("a large one of valid bytes, or in another charset, is read", async () => {
  expect((await post(form(70_000, 0x62))).status).toBe(200);
  expect((await post(form(70_000, 0xff), "; charset=iso-8859-1")).status).toBe(200);
});

import { once } from "node:events";
import { connect, createServer, type IncomingHttpHeaders } from "node:http2";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { afterEach, expect, test } from "vitest";
import { Application, json, text } from "../../../src/index.ts";
import { toNodeHandler } from "../../../src/node.ts";

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** A client of a server for HTTP/2 that hands everything to the application. */
async function serve(app: Application) {
  const handle = toNodeHandler(app);
  const server = createServer((request, response) => handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  open.push(server, client);
  return async (headers: Record<string, string>, body?: string) => {
    const stream = client.request(headers);
    const answered: Promise<[IncomingHttpHeaders & { ":status"?: number }]> = once(
      stream,
      "response",
    ) as Promise<[IncomingHttpHeaders]>;
    stream.end(body);
    const [head] = await answered;
    let content = "";
    for await (const chunk of stream.setEncoding("utf8")) content += chunk;
    return { status: head[":status"], head, text: content };
  };
}

function createApplication(): Application {
  const app = new Application();
  const router = app.getRouter();
  router.get("/", () => text("grüezi"));
  router.get("/made", () => new Response("made", { status: 201 }));
  router.post("/echo", (ctx) => json({ body: ctx.body, names: [...ctx.request.headers.keys()] }));
  return app;
}

test("HTTP/2: texts, bodies and headers are as over HTTP/1.1, and Node warns of nothing", async () => {
  const warnings: string[] = [];
  const note = (warning: Error) => warnings.push(warning.message);
  process.on("warning", note);
  try {
    const send = await serve(createApplication());
    expect(await send({ ":path": "/" })).toMatchObject({ status: 200, text: "grüezi" });
    expect(await send({ ":path": "/made" })).toMatchObject({ status: 201, text: "made" });
    expect(await send({ ":path": "/", ":method": "HEAD" })).toMatchObject({
      status: 200,
      text: "",
    });
    const echo = await send(
      { ":path": "/echo", ":method": "POST", "content-type": "application/json", "x-shelf": "3" },
      '{"title":"Momo"}',
    );
    expect(JSON.parse(echo.text)).toEqual({
      body: { title: "Momo" },
      names: ["content-type", "x-shelf"],
    });
    const missing = await send({ ":path": "/none" });
    expect(missing.head["content-type"]).toBe("application/problem+json");
    // Warnings are emitted in a separate turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  } finally {
    process.off("warning", note);
  }
});

test("HTTP/2: a body over the limit and an invalid authority are rejected", async () => {
  const send = await serve(createApplication());
  const large = await send(
    { ":path": "/echo", ":method": "POST", "content-type": "application/json" },
    JSON.stringify("a".repeat(1_100_000)),
  );
  expect(large.status).toBe(413);
  expect((await send({ ":path": "/", ":authority": "shelf:99999" })).status).toBe(400);
});

test("HTTP/2: a Host header that differs from the authority is rejected", async () => {
  const send = await serve(createApplication());
  const statusFor = async (host: string): Promise<number | undefined> =>
    (await send({ ":path": "/none", ":authority": "Shelf.example:1", host })).status;
  expect(await statusFor("shelf.example:1")).toBe(404);
  expect(await statusFor("shelf.example")).toBe(400);
  expect(await statusFor("evil.example:1")).toBe(400);
});

import { EspalierError, json, sse, stream, text } from "espalier";
import { describe, expect, test, vi } from "vitest";
import { createEntityTag, matchesEntityTag } from "../../src/http/entity-tag.ts";
import { ETagMiddleware, type ETagOptions } from "../../src/middleware/etag.ts";
import { costRatio } from "../support/cost-ratio.ts";
import { addOutcomes, createApp, outcomes } from "./support/app.ts";

function taggedApp(options?: ETagOptions) {
  const { app } = createApp([new ETagMiddleware(options)]);
  addOutcomes(app);
  return app;
}

const fine = await createEntityTag(new TextEncoder().encode("fine"));

test("tags only GET and HEAD responses with 200", async () => {
  const app = taggedApp();
  for (const [method, path, status] of outcomes) {
    const response = await app.request(path, { method });
    expect(response.status, path).toBe(status);
    const isTagged = status === 200 && method !== "POST";
    expect(response.headers.has("etag"), `${method} ${path}`).toBe(isTagged);
    if (path === "/cookies") expect(response.headers.getSetCookie()).toHaveLength(2);
  }
  const response = await app.request("/ok");
  expect(response.headers.get("etag")).toBe(fine);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await response.text()).toBe("fine");
});

test("gives HEAD the tag of GET, and no tag if HEAD has a separate route", async () => {
  const app = taggedApp();
  expect((await app.request("/ok", { method: "HEAD" })).headers.get("etag")).toBe(fine);
  app.getRouter().head("/own", () => new Response(null));
  expect((await app.request("/own", { method: "HEAD" })).headers.has("etag")).toBe(false);
});

test("equal bytes get the same tag, different ones another", async () => {
  const app = taggedApp();
  app.getRouter().get("/echo", (ctx) => json(ctx.query));
  const tagOf = async (query: string) => (await app.request(`/echo?${query}`)).headers.get("etag");
  expect(await tagOf("a=1")).toBe(await tagOf("a=1"));
  expect(await tagOf("a=1")).not.toBe(await tagOf("a=2"));
});

describe("If-None-Match", () => {
  const opaque = fine.slice(1, -1);

  test.each([
    [fine, 304],
    [`W/${fine}`, 304],
    ["*", 304],
    [`"a,b", ${fine}`, 304],
    [`"a"${fine}`, 304],
    [` ${fine} `, 304],
    ['"another"', 200],
    [opaque, 200],
    [`w/${opaque}`, 200],
    [`"${opaque}`, 200],
    ["", 200],
  ])("%s gives %i", async (header, status) => {
    for (const method of ["GET", "HEAD"]) {
      const response = await taggedApp().request("/ok", {
        method,
        headers: { "if-none-match": header },
      });
      expect(response.status, method).toBe(status);
      expect(response.headers.get("etag")).toBe(fine);
      expect(await response.text()).toBe(status === 200 && method === "GET" ? "fine" : "");
    }
  });

  test("a 304 keeps caching headers and drops headers about the body", async () => {
    const app = taggedApp();
    app.getRouter().get("/full", (ctx) => {
      const response = text("fine");
      const headers = {
        "cache-control": "max-age=60",
        "content-language": "en",
        "content-length": "4",
        "content-location": "/full.txt",
        "content-security-policy": "sandbox",
        expires: "Wed, 21 Oct 2037 07:28:00 GMT",
        vary: "Accept",
        "x-own": "1",
      };
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      response.headers.append("set-cookie", "a=1");
      response.headers.append("set-cookie", "b=2");
      ctx.cookies.set("c", "3");
      return response;
    });
    const response = await app.request("/full", { headers: { "if-none-match": fine } });
    expect(response.status).toBe(304);
    expect([...new Set(response.headers.keys())].sort()).toEqual([
      "cache-control",
      "content-location",
      "content-security-policy",
      "etag",
      "expires",
      "set-cookie",
      "vary",
      "x-content-type-options",
      "x-own",
    ]);
    expect(response.headers.getSetCookie().map((cookie) => cookie.slice(0, 3))).toEqual([
      "a=1",
      "b=2",
      "c=3",
    ]);
  });

  test("does not apply to other methods", async () => {
    const headers = { "if-none-match": "*" };
    expect((await taggedApp().request("/posted", { method: "POST", headers })).status).toBe(200);
    expect((await taggedApp().request("/failing", { headers })).status).toBe(500);
  });

  test("uses a tag set by the handler, and cancels the unread body", async () => {
    const app = taggedApp();
    const cancel = vi.fn();
    app.getRouter().get("/own", () => {
      const body = new ReadableStream({ cancel });
      return new Response(body, { headers: { etag: 'W/"v7"' } });
    });
    const response = await app.request("/own", { headers: { "if-none-match": '"v7"' } });
    expect([response.status, response.headers.get("etag")]).toEqual([304, 'W/"v7"']);
    expect(cancel).toHaveBeenCalledOnce();
  });
});

describe("responses without a tag", () => {
  test("bodies over the limit, which arrive completely without being buffered", async () => {
    const app = taggedApp({ limitBytes: 10 });
    const read: number[] = [];
    app.getRouter().get("/long/:chunks", (ctx) => {
      let chunk = 0;
      const body = new ReadableStream(
        {
          pull(controller) {
            if (chunk === Number(ctx.params["chunks"])) return controller.close();
            read.push(chunk);
            controller.enqueue(new TextEncoder().encode(`<${chunk}..>`));
            chunk += 1;
          },
        },
        { highWaterMark: 0 },
      );
      return new Response(body);
    });
    const exact = await app.request("/long/2");
    expect(exact.headers.has("etag")).toBe(true);
    expect(await exact.text()).toBe("<0..><1..>");

    read.length = 0;
    const long = await app.request("/long/200");
    expect(long.headers.has("etag")).toBe(false);
    // Three chunks exceed the limit, and a stream reads one ahead.
    expect(read.length).toBeLessThanOrEqual(4);
    expect(await long.text()).toBe(Array.from({ length: 200 }, (_, n) => `<${n}..>`).join(""));
  });

  test("streams that are still being produced", async () => {
    const app = taggedApp();
    const never = async function* () {
      yield { data: "first" };
      await new Promise(() => {});
    };
    app.getRouter().get("/events", () => sse(never()));
    app.getRouter().get("/lines", () =>
      stream(new ReadableStream({ start: (controller) => controller.enqueue("{}") }), {
        type: "application/x-ndjson",
      }),
    );
    for (const path of ["/events", "/lines"]) {
      const response = await app.request(path);
      expect(response.headers.has("etag"), path).toBe(false);
      await response.body?.cancel();
    }
  });

  test("encoded responses, and those with no-store", async () => {
    const app = taggedApp();
    const variants: Record<string, string>[] = [
      { "content-encoding": "gzip" },
      { "cache-control": "private, No-Store" },
      { "content-length": String(2 ** 21) },
    ];
    for (const [index, headers] of variants.entries()) {
      app.getRouter().get(`/v/${index}`, () => new Response("x", { headers }));
      expect((await app.request(`/v/${index}`)).headers.has("etag"), String(index)).toBe(false);
    }
  });

  test("a failing body is an error before anything was sent", async () => {
    const app = taggedApp();
    app.getRouter().get("/broken", () => {
      let chunk = 0;
      return new Response(
        new ReadableStream({
          pull(controller) {
            chunk += 1;
            if (chunk === 2) controller.error(new Error("broken"));
            else controller.enqueue(new Uint8Array(3));
          },
        }),
      );
    });
    expect((await app.request("/broken")).status).toBe(500);
  });
});

test("cancelling a long body reaches its source", async () => {
  const app = taggedApp({ limitBytes: 1 });
  const cancel = vi.fn();
  app.getRouter().get(
    "/endless",
    () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(10)),
          cancel,
        }),
      ),
  );
  const response = await app.request("/endless");
  await response.body?.cancel();
  expect(cancel).toHaveBeenCalledOnce();
});

test("creates weak tags if configured", async () => {
  expect((await taggedApp({ weak: true }).request("/ok")).headers.get("etag")).toBe(`W/${fine}`);
});

test("reads any If-None-Match in the time of a usual one of its length", async () => {
  const usual = '"33a64df551425fcc55e4d42a148795d9f25f89d4", '.repeat(2_300);
  for (const text of ['"'.repeat(100_000), 'W/"'.repeat(33_000), `"${"a".repeat(100_000)}`]) {
    expect(matchesEntityTag(text, '"x"')).toBe(false);
    const ratio = await costRatio(
      () => matchesEntityTag(text, '"x"'),
      () => matchesEntityTag(usual, '"x"'),
    );
    expect(ratio).toBeLessThan(30);
  }
});

test("rejects a limit that is not a number of bytes", () => {
  for (const limitBytes of [-1, 1.5, Number.POSITIVE_INFINITY]) {
    expect(() => new ETagMiddleware({ limitBytes })).toThrow(EspalierError);
  }
});

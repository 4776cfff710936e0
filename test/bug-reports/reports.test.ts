import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeTargets, type HostileCall, type SendHostile } from "../security/targets.ts";
import { createReportedApplication } from "./application.ts";

const upstream = createServer((_, response) => {
  response.writeHead(200, [
    ["set-cookie", "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT"],
    ["set-cookie", "b=2"],
    ["content-type", "text/plain"],
  ] as never);
  response.end("from upstream");
});
let upstreamUrl = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  upstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/`;
});
afterAll(() => void upstream.close());

const reported = {
  create: () => createReportedApplication(() => upstreamUrl),
  worker: "test/bug-reports/worker.ts",
  env: { SELF: { type: "worker", worker: "worker" } },
};

const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };
const post = (path: string, body: string | Uint8Array, headers = json): HostileCall => ({
  method: "POST",
  path,
  headers,
  body,
});

describeTargets("reported of others", reportedTests, reported);

function reportedTests(send: SendHostile): void {
  describe("responses and headers", () => {
    test("a response of fetch is decorated by middleware and afterHandle, body intact", async () => {
      const { status, headers, body } = await send({ path: "/proxied" });
      expect([status, body]).toEqual([200, "from upstream"]);
      expect([headers.get("x-after"), headers.get("x-body-seen")]).toEqual(["1", "none"]);
      const cookies = headers.getSetCookie();
      expect(cookies.slice(0, 2)).toEqual(["a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", "b=2"]);
      expect(cookies).toContain("last=4");
    });

    test("Response.redirect is decorated", async () => {
      const { status, headers } = await send({ path: "/moved" });
      expect([status, headers.get("location"), headers.get("x-body-seen")]).toEqual([
        307,
        "http://localhost/there",
        "none",
      ]);
    });

    test.each([
      ["success", 204],
      ["json", 304],
      ["text", 205],
      ["error", 204],
    ])("%s with the status %i has no body and no content type", async (which, status) => {
      const answer = await send({ path: `/bodiless/${which}` });
      expect([answer.status, answer.body, answer.headers.get("content-type")]).toEqual([
        status,
        "",
        null,
      ]);
    });

    test("undefined is valid JSON, BigInt and cycles are a 500", async () => {
      expect((await send({ path: "/values/undefined" })).body).toBe("null");
      expect((await send({ path: "/values/null" })).body).toBe("null");
      expect((await send({ path: "/success" })).body).toBe('{"success":true}');
      for (const which of ["bigint", "cycle"]) {
        const { status, headers } = await send({ path: `/values/${which}` });
        expect([status, headers.get("content-type")]).toEqual([500, "application/problem+json"]);
      }
    });

    test("a header that was appended after construction stays", async () => {
      const { headers, body } = await send({ path: "/late" });
      expect([headers.get("x-late"), headers.get("x-body-seen"), body]).toEqual(["1", "none", "x"]);
    });

    test("HEAD on a GET route has its status and headers, no body, and ran its middleware", async () => {
      const get = await send({ path: "/members/7" });
      const head = await send({ method: "HEAD", path: "/members/7" });
      expect([head.status, head.body, head.headers.get("content-type")]).toEqual([
        get.status,
        "",
        get.headers.get("content-type"),
      ]);
      expect(head.headers.get("x-trace")).toBe(get.headers.get("x-trace"));
      const missing = await send({ method: "HEAD", path: "/nope" });
      expect([missing.status, missing.body]).toEqual([404, ""]);
    });
  });

  describe("bodies", () => {
    test("a parsed body can be read again, as text and as a clone", async () => {
      const { status, body } = await send(post("/again", '{"a": 1}'));
      expect([status, JSON.parse(body)]).toEqual([200, [{ a: 1 }, { a: 1 }, '{"a": 1}']]);
    });

    test("middleware and handler see the same body", async () => {
      const { headers, body } = await send(post("/echo", '{"a":1}'));
      expect([headers.get("x-body-seen"), JSON.parse(body)]).toEqual([
        "some",
        ["object", { a: 1 }],
      ]);
    });

    test.each(["POST", "DELETE"])(
      "%s with a JSON content type and no body has none",
      async (method) => {
        for (const call of [
          { method, path: "/echo", headers: json },
          { method, path: "/echo", headers: json, body: "" },
        ]) {
          const { status, body } = await send(call);
          expect([status, JSON.parse(body)]).toEqual([200, ["undefined", null]]);
        }
        const refused = await send({ method, path: "/required", headers: json });
        expect([refused.status, JSON.parse(refused.body).errors]).toEqual([
          422,
          [{ field: "name", message: "name is required" }],
        ]);
      },
    );

    test.each(['{"a":', "{'a':1}", "\0", "NaN", '{"a":1}x', "undefined"])(
      "%j is a 400 that tells nothing of the parser",
      async (text) => {
        const { status, headers, body } = await send(post("/echo", text));
        expect([status, headers.get("content-type")]).toEqual([400, "application/problem+json"]);
        expect(JSON.parse(body)).toMatchObject({
          title: "Bad Request",
          detail: "The request body is not valid JSON.",
          traceId: expect.stringMatching(/./),
        });
        expect((await send(post("/echo", "1"))).status).toBe(200);
      },
    );

    test.each([
      ["application/json;charset=UTF-8", true],
      ["APPLICATION/JSON", true],
      ['application/json ; charset="utf-8"', true],
      ["application/problem+json", true],
      ["application/vnd.api+json", true],
      ["text/json", false],
      ["application/jsonx", false],
      ["application/json-patch", false],
    ])("%s is JSON: %s", async (contentType, isJson) => {
      const { body } = await send(post("/echo", '{"a":1}', { "content-type": contentType }));
      expect(JSON.parse(body)).toEqual(isJson ? ["object", { a: 1 }] : ["undefined", null]);
    });

    test("repeated keys of a form are lists, files too, and single ones are not", async () => {
      const urlencoded = await send(post("/form", "a=1&a=2&b=3", form));
      expect(JSON.parse(urlencoded.body)).toEqual([
        ["a", ["1", "2"], true],
        ["b", ["3"], false],
      ]);
      const part = (name: string) =>
        `--x\r\ncontent-disposition: form-data; name="f"; filename="${name}"\r\n\r\nabc\r\n`;
      const multipart = await send(
        post("/form", `${part("one")}${part("two")}--x--\r\n`, {
          "content-type": "multipart/form-data; boundary=x",
        }),
      );
      expect(JSON.parse(multipart.body)).toEqual([["f", ["one", "two"], true]]);
    });

    test("a byte order mark is dropped, in JSON and in forms", async () => {
      const withMark = (text: string) =>
        new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode(text)]);
      const fromJson = await send(post("/echo", withMark('{"a":1}')));
      expect(JSON.parse(fromJson.body)).toEqual(["object", { a: 1 }]);
      const fromForm = await send(post("/form", withMark("a=1"), form));
      expect(JSON.parse(fromForm.body)).toEqual([["a", ["1"], false]]);
    });
  });

  describe("routing, groups and the order of middleware", () => {
    const traceOf = async (path: string) => (await send({ path })).headers.get("x-trace");

    test("/ in a group is its prefix, with and without a slash at the end", async () => {
      for (const path of ["/users", "/users/"]) expect((await send({ path })).body).toBe("users");
      expect((await send({ path: "/users//" })).status).toBe(404);
    });

    test("group middleware runs once on the group's root and below, with its parameters", async () => {
      expect((await send({ path: "/members/7" })).body).toBe("root 7");
      expect(await traceOf("/members/7")).toBe("G H M /M /H /G");
      expect((await send({ path: "/members/8/inbox" })).body).toBe("inbox 8");
      expect(await traceOf("/members/8/inbox")).toBe("G H M /M /H /G");
    });

    test("middleware does not leak into another group with the same prefix", async () => {
      expect(await traceOf("/a")).toBe("G H A /A /H /G");
      expect(await traceOf("/b")).toBe("G H B /B /H /G");
    });

    test("global middleware runs once each in order, wherever registered, also on 404", async () => {
      expect(await traceOf("/t/1")).toBe("G H /H /G");
      expect(await traceOf("/nowhere")).toBe("G H /H /G");
    });

    test("outer group, inner group, route in listed order, and back; a stop leaves by the way in", async () => {
      expect(await traceOf("/outer/inner")).toBe("G H O I R1 R2 /R2 /R1 /I /O /H /G");
      const stopped = await send({ path: "/outer/inner/stopped" });
      expect([stopped.status, stopped.headers.get("x-trace")]).toEqual([
        403,
        "G H O I /I /O /H /G",
      ]);
    });

    test.each(["%", "%zz", "%E0%A4%A"])("the escape %s in a parameter is a 400", async (text) => {
      expect((await send({ path: `/t/${text}` })).status).toBe(400);
    });
  });
}

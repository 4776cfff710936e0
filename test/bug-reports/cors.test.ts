import { expect, test } from "vitest";
import { describeTargets, type HostileCall, type SendHostile } from "../security/targets.ts";
import { createCorsApplication, page } from "./cors-application.ts";

describeTargets("CORS as reported of others", corsTests, {
  create: createCorsApplication,
  worker: "test/bug-reports/cors-worker.ts",
});

function preflight(path: string): HostileCall {
  const headers = { origin: page, "access-control-request-method": "POST" };
  return { method: "OPTIONS", path, headers };
}

function corsTests(send: SendHostile): void {
  test("the six outcomes that others forget have the headers, and a line each", async () => {
    const outcomes: [string, number][] = [
      ["/nowhere", 404],
      ["/invalid", 422],
      ["/throws", 500],
      ["/members", 401],
      ["/limited", 429],
      ["/forbidden", 403],
    ];
    // The one that the limit admits.
    await send({ path: "/limited" });
    for (const [path, status] of outcomes) {
      const headers = { origin: page, "x-request-id": `b08${path.replace("/", "-")}` };
      const answer = await send({ path, headers });
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.headers.get("access-control-allow-origin")).toBe(page);
      expect(answer.headers.get("vary")?.split(", ")).toContain("Origin");
    }
    const records = JSON.parse((await send({ path: "/records" })).body) as [string, number][];
    expect(records.filter(([id]) => id.startsWith("b08"))).toEqual(
      outcomes.map(([path, status]) => [`b08${path.replace("/", "-")}`, status]),
    );
  });

  test("a preflight is 204 for a route without OPTIONS, and for none", async () => {
    for (const path of ["/a", "/nowhere"]) {
      const { status, headers, body } = await send(preflight(path));
      expect([path, status, body]).toEqual([path, 204, ""]);
      expect(headers.get("access-control-allow-origin")).toBe(page);
      expect(headers.get("access-control-allow-methods")).toContain("POST");
    }
  });

  test("authentication refuses no preflight, and a plain OPTIONS does not pass it", async () => {
    const before = (await send({ path: "/handled" })).body;
    for (const path of ["/members", "/members/all"]) {
      expect((await send(preflight(path))).status).toBe(204);
    }
    const plain = await send({
      method: "OPTIONS",
      path: "/members/all",
      headers: { origin: page },
    });
    expect([plain.status, plain.headers.get("access-control-allow-origin")]).toEqual([401, page]);
    const automatic = await send({
      method: "OPTIONS",
      path: "/members",
      headers: { origin: page },
    });
    expect([automatic.body, automatic.headers.get("allow")]).toEqual(["", "GET, HEAD, OPTIONS"]);
    expect((await send({ path: "/handled" })).body).toBe(before);
  });
}

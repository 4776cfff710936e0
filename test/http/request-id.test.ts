import { describe, expect, test } from "vitest";
import { requestId } from "../../src/http/request-id.ts";

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

describe("requestId", () => {
  test.each(["a", "A-b_c.9", "x".repeat(128), "7f3c7b0e-5d8f-4b7e-9a55-0e2f3c1b2a10"])(
    "takes over %j",
    (id) => {
      expect(requestId(new Headers({ "x-request-id": id }))).toBe(id);
    },
  );

  test.each([
    "",
    "x".repeat(129),
    "x".repeat(10_000),
    "<script>",
    "a b",
    "é",
    "a/b",
    "a,b",
    '{"a":1}',
  ])("makes a new one instead of %j (S85)", (id) => {
    expect(requestId(new Headers({ "x-request-id": id }))).toMatch(uuid);
  });

  test("makes a new one for two headers (S85)", () => {
    const headers = new Headers();
    headers.append("x-request-id", "a");
    headers.append("x-request-id", "b");
    expect(requestId(headers)).toMatch(uuid);
  });

  test("makes another one each time there is none", () => {
    expect(requestId(new Headers())).not.toBe(requestId(new Headers()));
  });
});

import { describe, expect, test } from "vitest";
import { requestId } from "../../src/http/request-id.ts";

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

describe("requestId", () => {
  test.each([
    "a",
    "A-b_c.9",
    "x".repeat(128),
    "7f3c7b0e-5d8f-4b7e-9a55-0e2f3c1b2a10",
    "Root=1-65f0c1a2-0c5f2f2d4b8e4f1aa2f6d9c1",
    "d2hhdCBhbiBpZA==",
    "a+b/c=",
    "edge:7@fra#1~2!?*&^",
  ])("takes over %j", (id) => {
    expect(requestId(new Headers({ "x-request-id": id }))).toBe(id);
  });

  test.each([
    "",
    "x".repeat(129),
    "x".repeat(10_000),
    "<script>",
    "a b",
    "é",
    "a,b",
    "a;b",
    "a|b",
    'a"b',
    "a'b",
    "a`b",
    "a\\nb",
    "a%0ab",
    "{jndi:ldap://x}",
    "$(id)",
    "[a]",
    '{"a":1}',
    "a\tb",
    "a\u007f",
  ])("generates one instead of %j", (id) => {
    expect(requestId(new Headers({ "x-request-id": id }))).toMatch(uuid);
  });

  test("generates one for two headers", () => {
    const headers = new Headers();
    headers.append("x-request-id", "a");
    headers.append("x-request-id", "b");
    expect(requestId(headers)).toMatch(uuid);
  });

  test("generates a new one for each request without one", () => {
    expect(requestId(new Headers())).not.toBe(requestId(new Headers()));
  });
});
